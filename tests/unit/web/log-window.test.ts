import { expect, test } from 'vitest'
import {
  extended,
  hashOfLines,
  linesOf,
  linesOfHash,
  pagesOf,
  pagesToForget,
  sizeText,
} from '#web/model/log-window.ts'

test('the pages that hold the lines in view are found', () => {
  expect(pagesOf(0, 40)).toEqual([0])
  expect(pagesOf(990, 40)).toEqual([0, 1])
  expect(pagesOf(1_000, 1)).toEqual([1])
})

test('the farthest of more than twelve pages are dropped', () => {
  const held = Array.from({ length: 14 }, (_, page) => page)
  expect(pagesToForget(held, 13).toSorted((a, b) => a - b)).toEqual([0, 1])
  expect(pagesToForget([1, 2, 3], 900)).toEqual([])
})

test('lines end with a line feed, and text before a carriage return is left out', () => {
  expect(linesOf('')).toEqual([])
  expect(linesOf('\n')).toEqual([''])
  expect(linesOf('a\nb\n')).toEqual(['a', 'b'])
  expect(linesOf('a\n\nb')).toEqual(['a', '', 'b'])
  expect(linesOf('10 %\r50 %\r100 %\nend\r\n')).toEqual(['100 %', 'end'])
})

test('the hash of a link names one line or several', () => {
  expect(linesOfHash('#L120')).toEqual({ first: 119, last: 119 })
  expect(linesOfHash('#L20-L10')).toEqual({ first: 9, last: 19 })
  expect(linesOfHash('#L0')).toEqual({ first: 0, last: 0 })
  expect([linesOfHash('#x'), linesOfHash('')]).toEqual([undefined, undefined])
  expect(hashOfLines({ first: 9, last: 19 })).toBe('#L10-L20')
  expect(hashOfLines({ first: 9, last: 9 })).toBe('#L10')
})

test('a click with Shift extends the marked lines', () => {
  expect(extended(undefined, 4)).toEqual({ first: 4, last: 4 })
  expect(extended({ first: 4, last: 6 }, 9)).toEqual({ first: 4, last: 9 })
  expect(extended({ first: 4, last: 6 }, 1)).toEqual({ first: 1, last: 6 })
})

test('sizes are shown in bytes, kB or MB', () => {
  expect([12, 214_400, 16_000_000].map(sizeText)).toEqual(['12 bytes', '214 kB', '16.0 MB'])
})
