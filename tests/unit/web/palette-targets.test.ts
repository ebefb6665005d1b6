import { expect, test } from 'vitest'
import { matching, type Target } from '#web/model/palette-targets.ts'

const target = (name: string): Target => ({ key: name, name, kind: 'page', href: '/' })
const names = (text: string) =>
  matching(['nightly-orders', 'Runs', 'orders'].map(target), text, false).map(({ name }) => name)

test('all words in any order and case; what begins with the text comes first', () => {
  expect(names('ORD')).toEqual(['orders', 'nightly-orders'])
  expect(names('orders night')).toEqual(['nightly-orders'])
  expect(names('')).toEqual(['nightly-orders', 'Runs', 'orders'])
})

test('what the service has found is shown whatever its name, unless it is for another text', () => {
  const found = { ...target('by its tag'), isFound: true }
  expect(matching([found], 'sales', false)).toEqual([found])
  expect(matching([found], 'sales', true)).toEqual([])
  expect(matching([found], 'tag', true)).toEqual([found])
})
