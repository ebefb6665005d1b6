import { expect, test } from 'vitest'
import { readRunFilter, toggleState } from '#web/model/run-filter.ts'

test.each([
  ['', {}, []],
  ['failed', { status: '2' }, []],
  ['failed, running state:queued failed', { status: '1,2,5' }, []],
  ['partly succeeded', { status: '6' }, []],
  ['partial_success', { status: '6' }, []],
  ['not_started', { status: '0' }, []],
  ['failed dag:nightly', { status: '2', name: 'nightly' }, ['dag: nightly']],
  [
    'state:running, id:7f3a tag:x group:ops',
    { status: '1', dagRunId: '7f3a', tag: 'x', group: 'ops' },
    ['id: 7f3a', 'tag: x', 'group: ops'],
  ],
  ['trigger:schedule runner:r1', { trigger: 'scheduler', worker: 'r1' }, ['trigger: schedule', 'runner: r1']],
  ['took:90 took:5M', { minMs: 300_000 }, ['took: 90', 'took: 5M']],
  ['Night 7f3a', { q: 'Night 7f3a' }, ['“Night”', '“7f3a”']],
  ['dag: took:long a:b', { q: 'dag: took:long a:b' }, ['“dag:”', '“took:long”', '“a:b”']],
])('the filter %j is read', (text, query, labels) => {
  const filter = readRunFilter(text)
  expect(filter.query).toEqual(query)
  expect(filter.chips.map(({ label }) => label)).toEqual(labels)
})

test('a chip holds the filter without itself', () => {
  expect(readRunFilter('failed dag:a words').chips.map(({ without }) => without)).toEqual([
    'failed words',
    'failed dag:a',
  ])
})

test('a state is added and removed, however it was written', () => {
  expect(toggleState('dag:a', 2)).toBe('dag:a failed')
  expect(toggleState('state:failed dag:a running', 2)).toBe('dag:a running')
  expect(readRunFilter(toggleState('failed', 6)).codes).toEqual([2, 6])
})
