import { expect, test } from 'vitest'
import { lineOfHash, linesOf, pagesOf, pagesToForget } from '#web/model/log-window.ts'

test('the pages of lines', () => {
  expect(pagesOf(0, 40)).toEqual([0])
  expect(pagesOf(990, 40)).toEqual([0, 1])
  expect(pagesOf(1_000, 1)).toEqual([1])
})

test('of more than twelve pages, the farthest are forgotten', () => {
  const held = Array.from({ length: 14 }, (_, page) => page)
  expect(pagesToForget(held, 13).toSorted((a, b) => a - b)).toEqual([0, 1])
  expect(pagesToForget([1, 2, 3], 900)).toEqual([])
})

test('lines end with a line feed, and what was written over is left out', () => {
  expect(linesOf('')).toEqual([])
  expect(linesOf('\n')).toEqual([''])
  expect(linesOf('a\nb\n')).toEqual(['a', 'b'])
  expect(linesOf('a\n\nb')).toEqual(['a', '', 'b'])
  expect(linesOf('10 %\r50 %\r100 %\nend\r\n')).toEqual(['100 %', 'end'])
})

test('a link to a line', () => {
  expect([lineOfHash('#L120'), lineOfHash('#L0'), lineOfHash('#x'), lineOfHash('')]).toEqual([
    119,
    0,
    undefined,
    undefined,
  ])
})
