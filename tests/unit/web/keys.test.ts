import { expect, test } from 'vitest'
import { readKey } from '#web/model/keys.ts'

const stroke = { key: 'x', isModified: false, isTyping: false, hasFilter: false }
const read = (change: Partial<typeof stroke>, isGoing = false, hasLetters = true) =>
  readKey({ ...stroke, ...change }, isGoing, hasLetters)

test('g waits for the page, and only for the next key', () => {
  expect(read({ key: 'g' })).toEqual({ isGoing: true })
  expect(read({ key: 'r' }, true)).toEqual({ command: 'runs', isGoing: false })
  expect(read({ key: 'r' })).toEqual({ isGoing: false })
  expect(read({ key: 'z' }, true)).toEqual({ isGoing: false })
})

test('letters do nothing in a field or when they are switched off, and Ctrl-K always works', () => {
  expect(read({ key: '?', isTyping: true }).command).toBeUndefined()
  expect(read({ key: '?' }, false, false).command).toBeUndefined()
  expect(read({ key: '?' }).command).toBe('help')
  expect(read({ key: 'K', isModified: true, isTyping: true }, false, false).command).toBe('palette')
  expect(read({ key: 'r', isModified: true }, true).command).toBeUndefined()
})

test('the slash opens the palette, unless the page has a filter', () => {
  expect(read({ key: '/' }).command).toBe('palette')
  expect(read({ key: '/', hasFilter: true }).command).toBeUndefined()
})

test('j and k move through the rows of a table', () => {
  expect(read({ key: 'j' }).command).toBe('next-row')
  expect(read({ key: 'k' }).command).toBe('previous-row')
  expect(read({ key: 'j', isTyping: true }).command).toBeUndefined()
})
