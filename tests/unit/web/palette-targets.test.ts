import { expect, test } from 'vitest'
import { matching, mayBeRunId, type Target } from '#web/model/palette-targets.ts'

const target = (name: string): Target => ({ key: name, name, kind: 'page', href: '/' })
const names = (text: string) =>
  matching(['nightly-orders', 'Runs', 'orders'].map(target), text).map(({ name }) => name)

test('all words in any order and case; what begins with the text comes first', () => {
  expect(names('ORD')).toEqual(['orders', 'nightly-orders'])
  expect(names('orders night')).toEqual(['nightly-orders'])
  expect(names('')).toEqual(['nightly-orders', 'Runs', 'orders'])
})

test('what may be a part of the id of a run', () => {
  expect(['01a2', 'a.b.c', 'abc', 'x y z q', '019aa3f0-7c'].map(mayBeRunId)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
})
