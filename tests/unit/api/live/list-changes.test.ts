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

test('equal states publish nothing', () => {
  expect(listChanges(list({ a: 1 }), list({ a: 1 }), topic)).toEqual([])
})

test('changed rows are published before new ones, and the newest comes last', () => {
  const events = listChanges(list({ b: 1, a: 1 }), list({ d: 1, c: 1, b: 2, a: 1 }), topic)
  expect(events).toEqual([run('b', 2), run('c', 1), run('d', 1)])
})

test('rows that new ones push off the page are not published', () => {
  expect(listChanges(list({ b: 1, a: 1 }), list({ c: 1, b: 1 }), topic)).toEqual([run('c', 1)])
  expect(listChanges(list({ b: 1, a: 1 }), list({ d: 1, c: 1 }), topic)).toEqual([run('c', 1), run('d', 1)])
})

test.each([
  ['a row is gone', list({ b: 1 })],
  ['a row has left the middle and a new one has come', list({ d: 1, c: 1, a: 1 })],
  ['the order has changed', list({ a: 1, b: 1 })],
  ['a new row stands below the others', list({ b: 1, a: 1, c: 1 })],
  ['a field beside the rows has changed', list({ b: 1, a: 1 }, { rest: '{"total":3}' })],
  [
    'a new row has come to a list that is not newest first',
    list({ c: 1, b: 1, a: 1 }, { isNewestFirst: false }),
  ],
])('clients must read the list again when %s', (_what, after) => {
  expect(listChanges(list({ b: 1, a: 1 }), after, topic)).toEqual(reset)
})

test('counts are published as they are', () => {
  const counts = (total: number) => ({ tag: String(total), counts: { total } })
  expect(listChanges(counts(1), counts(2), topic)).toEqual([{ event: 'counts', data: { total: 2 } }])
})
