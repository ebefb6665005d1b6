import { expect, test } from 'vitest'
import { patchRows } from '#web/model/patch-rows.ts'

const keyOf = (row: { id: string }): string => row.id
const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const pages = [[a, b], [c]]

test('a row replaces the one with its key, and the others keep their identity', () => {
  const changed = { id: 'c', state: 'failed' }
  const patched = patchRows(pages, changed, { keyOf, isNewestFirst: true })
  expect(patched).toEqual([[a, b], [changed]])
  expect(patched[0]).toBe(pages[0])
})

test('a new row comes first in a list that is newest first, and in no other', () => {
  const row = { id: 'd' }
  expect(patchRows(pages, row, { keyOf, isNewestFirst: true })).toEqual([[row, a, b], [c]])
  expect(patchRows(pages, row, { keyOf, isNewestFirst: false })).toBe(pages)
  expect(patchRows([], row, { keyOf, isNewestFirst: true })).toEqual([[row]])
})
