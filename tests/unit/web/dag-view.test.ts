import { expect, test } from 'vitest'
import { dagQuery, readDagView, sortBy, tabs, typicalMs, writeDagView } from '#web/model/dag-view.ts'

test.each([
  [{}, { text: '', tab: '', sort: 'name', isDown: false, page: 1, isGrid: false }],
  [
    { q: 'x', tab: 'failed', sort: '-last', page: '3', view: 'grid' },
    { text: 'x', tab: 'failed', sort: 'last', isDown: true, page: 3, isGrid: true },
  ],
])('the address %j is read and written back', (query, view) => {
  expect(readDagView(query)).toEqual(view)
  expect(writeDagView(readDagView(query))).toEqual(query)
})

test('invalid values in an address count as absent', () => {
  const odd = { tab: 'toString', sort: '-constructor', page: '-1' }
  expect(writeDagView(readDagView(odd))).toEqual({})
})

test('pressing a column again reverses its order, and returns to the first page', () => {
  const view = readDagView({ q: 'x', page: '3' })
  const once = sortBy(view, 'last')
  expect(writeDagView(once)).toEqual({ q: 'x', sort: '-last' })
  expect(writeDagView(sortBy(once, 'last'))).toEqual({ q: 'x', sort: 'last' })
  expect(writeDagView(sortBy(once, 'next'))).toEqual({ q: 'x', sort: 'next' })
})

test('tags, groups and words become filters', () => {
  const view = readDagView({ q: 'nightly tag:big, group:ops sum tag:', tab: 'running', sort: '-state' })
  expect(dagQuery(view)).toEqual({
    sort: 'state',
    order: 'desc',
    state: 'running,not_started',
    tag: 'big',
    group: 'ops',
    q: 'nightly sum tag:',
  })
})

test('tabs count the DAGs that they show', () => {
  const counts = {
    total: 9,
    suspended: 2,
    withErrors: 1,
    byState: { failed: 3, partial_success: 1, never: 2 },
  }
  const shown = tabs.map(({ name, count }) => [name, count(counts)])
  expect(Object.fromEntries(shown)).toMatchObject({
    All: 9,
    Failed: 4,
    Running: 0,
    'Never ran': 2,
    Suspended: 2,
    'With faults': 1,
  })
})

test('the typical duration is the median', () => {
  expect(typicalMs([30, undefined, 10, 20])).toBe(20)
  expect(typicalMs([10, 20])).toBe(10)
  expect(typicalMs([undefined])).toBeUndefined()
})
