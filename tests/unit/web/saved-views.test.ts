import { expect, test } from 'vitest'
import { readViews, renamedView, shows, viewQuery, withoutView, withView } from '#web/model/saved-views.ts'

const view = (name: string, query: Record<string, string> = {}, list: 'dags' | 'runs' = 'runs') => ({
  list,
  name,
  query,
})
const names = (views: readonly { name: string }[]) => views.map(({ name }) => name)

test('invalid views are left out', () => {
  const good = view('good', { q: 'failed' })
  const bad = [
    null,
    'x',
    { ...good, list: 'steps' },
    { ...good, name: '' },
    { ...good, query: { q: 1 } },
    { ...good, query: null },
  ]
  expect(readViews({ views: [...bad, good] })).toEqual([good])
  expect(readViews({ views: 'x' })).toEqual([])
  expect(readViews({})).toEqual([])
})

test('a view replaces the one with its name in the same list', () => {
  const views = [view('a', { q: '1' }), view('a', {}, 'dags')]
  expect(withView(views, view('a', { q: '2' }))).toEqual([view('a', { q: '2' }), views[1]])
  expect(names(withView(views, view('b')))).toEqual(['a', 'a', 'b'])
  expect(withoutView(views, view('a'))).toEqual([views[1]])
})

test('a renamed view keeps its position, and replaces the view with the new name', () => {
  const views = [view('a', { q: '1' }), view('b', { q: '2' })]
  expect(renamedView(views, view('a'), 'c')).toEqual([view('c', { q: '1' }), view('b', { q: '2' })])
  expect(renamedView(views, view('a'), 'b')).toEqual([view('b', { q: '1' })])
  expect(renamedView(views, view('a'), 'a')).toEqual(views)
})

test('an address shows a view, whatever the order of its fields and its page', () => {
  const query = { last: '7d', page: '3', q: 'failed' }
  expect(viewQuery(query)).toEqual({ last: '7d', q: 'failed' })
  expect(shows(query, view('x', { q: 'failed', last: '7d' }))).toBe(true)
  expect(shows(query, view('x', { q: 'failed' }))).toBe(false)
})
