import { expect, test } from 'vitest'
import { matching, type Target } from '#web/model/palette-targets.ts'

const target = (name: string): Target => ({ key: name, name, kind: 'page', href: '/' })
const names = (text: string) =>
  matching(['nightly-orders', 'Runs', 'orders'].map(target), text, false).map(({ name }) => name)

test('targets match all words in any order and case, and those that begin with the text come first', () => {
  expect(names('ORD')).toEqual(['orders', 'nightly-orders'])
  expect(names('orders night')).toEqual(['nightly-orders'])
  expect(names('')).toEqual(['nightly-orders', 'Runs', 'orders'])
})

test('targets found by the service are shown whatever their name, unless they are for another text', () => {
  const found = { ...target('by its tag'), isFound: true }
  expect(matching([found], 'sales', false)).toEqual([found])
  expect(matching([found], 'sales', true)).toEqual([])
  expect(matching([found], 'tag', true)).toEqual([found])
})
