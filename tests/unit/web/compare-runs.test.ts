import { expect, test } from 'vitest'
import {
  differenceText,
  outputsOf,
  pairs,
  paramsOf,
  readRunName,
  stepPairs,
} from '#web/model/compare-runs.ts'
import { durationText } from '#web/model/durations.ts'

test('a run is read from an address', () => {
  expect(readRunName('nightly.eu/0199-a_b')).toEqual({ name: 'nightly.eu', runId: '0199-a_b' })
  for (const text of [undefined, '', 'nightly', 'a/b/c', 'a b/c']) expect(readRunName(text)).toBeUndefined()
})

test.each([
  ['', []],
  [
    'DAY=monday SIZE=3',
    [
      ['DAY', 'monday'],
      ['SIZE', '3'],
    ],
  ],
  [
    'NAME=Ada Lovelace SIZE=',
    [
      ['NAME', 'Ada Lovelace'],
      ['SIZE', ''],
    ],
  ],
  [
    '1=x 2=y',
    [
      ['1', 'x'],
      ['2', 'y'],
    ],
  ],
  ['URL=http://a/?b=c', [['URL', 'http://a/?b=c']]],
  ['loose', [['', 'loose']]],
] as const)('params are read from the line %j', (line, params) => {
  expect([...paramsOf(line)]).toEqual(params)
})

test('pairs are in the order of the second map, with entries of only the first at the end', () => {
  const found = pairs(
    new Map([
      ['gone', 1],
      ['same', 2],
    ]),
    new Map([
      ['new', 3],
      ['same', 2],
    ]),
  )
  expect(found).toEqual([
    { name: 'new', a: undefined, b: 3 },
    { name: 'same', a: 2, b: 2 },
    { name: 'gone', a: 1, b: undefined },
  ])
})

test('outputs have the name of their step as a prefix', () => {
  const nodes = [{ step: { name: 'load' }, outputs: { ROWS: '17' } }, { step: { name: 'add' } }]
  expect([...outputsOf(nodes)]).toEqual([['load.ROWS', '17']])
})

test('bars are relative to the longest step of both runs', () => {
  const step = (tookMs: number | undefined) => ({ state: 'success', tookMs }) as const
  const found = stepPairs(
    new Map([['a', step(1_000)]]),
    new Map([
      ['a', step(4_000)],
      ['b', step(undefined)],
    ]),
  )
  expect(found.map(({ aPart, bPart }) => [aPart, bPart])).toEqual([
    [0.25, 1],
    [0, 0],
  ])
})

test.each([
  [1_000, 1_050, ''],
  [undefined, 5_000, ''],
  [9_000, 4_000, '−5.0 s'],
  [4_000, 5_000, '+1.0 s'],
  [3_000, 12_000, '+9.0 s, 4.0 times'],
  [50, 5_050, '+5.0 s'],
])('the difference from %s to %s ms is shown as %j', (a, b, text) => {
  expect(differenceText(a, b, durationText)).toBe(text)
})
