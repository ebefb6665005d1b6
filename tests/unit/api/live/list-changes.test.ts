import { expect, test } from 'vitest'
import { listChanges, type ListState } from '#lib/api/live/list-changes.ts'

const topic = { topic: 'runs', event: 'run' } as const
const reset = [{ event: 'reset', data: { topic: 'runs' } }]
const list = (rows: Record<string, number>, more: Partial<ListState> = {}): ListState => ({
  tag: JSON.stringify([rows, more]),
  rows: new Map(Object.entries(rows).map(([key, value]) => [key, JSON.stringify({ key, value })])),
  isNewestFirst: true,
  ...more,
})
const run = (key: string, value: number) => ({ event: 'run', data: { key, value } })

test('equal states', () => {
  expect(listChanges(list({ a: 1 }), list({ a: 1 }), topic)).toEqual([])
})

test('changed rows, then new ones, the newest last', () => {
  const events = listChanges(list({ b: 1, a: 1 }), list({ d: 1, c: 1, b: 2, a: 1 }), topic)
  expect(events).toEqual([run('b', 2), run('c', 1), run('d', 1)])
})

test('rows that new ones push off the page', () => {
  expect(listChanges(list({ b: 1, a: 1 }), list({ c: 1, b: 1 }), topic)).toEqual([run('c', 1)])
  expect(listChanges(list({ b: 1, a: 1 }), list({ d: 1, c: 1 }), topic)).toEqual([run('c', 1), run('d', 1)])
})

test.each([
  ['a row is gone', list({ b: 1 })],
  ['a row is gone from the middle, while one has come', list({ d: 1, c: 1, a: 1 })],
  ['another order', list({ a: 1, b: 1 })],
  ['a new row below the others', list({ b: 1, a: 1, c: 1 })],
  ['something beside the rows', list({ b: 1, a: 1 }, { rest: '{"total":3}' })],
  ['a new row of a list that has another order', list({ c: 1, b: 1, a: 1 }, { isNewestFirst: false })],
])('it must be read again: %s', (_what, after) => {
  expect(listChanges(list({ b: 1, a: 1 }), after, topic)).toEqual(reset)
})

test('numbers are reported as they are', () => {
  const counts = (total: number) => ({ tag: String(total), counts: { total } })
  expect(listChanges(counts(1), counts(2), topic)).toEqual([{ event: 'counts', data: { total: 2 } }])
})
