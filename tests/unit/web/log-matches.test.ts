import { expect, test } from 'vitest'
import { matchBeside, matchesText, readMatches } from '#web/model/log-matches.ts'

const found = readMatches('{"line":3,"text":"a"}\n{"line":9,"text":"b"}\n{"done":true,"matches":2}\n')

test('the response of a search gives its lines, and whether it is complete', () => {
  expect(found).toEqual({ lines: [3, 9], isDone: true })
  expect(readMatches('{"line":3,"text":"a"}\n{"done":false,"next":4}\n')).toEqual({
    lines: [3],
    isDone: false,
  })
  expect(readMatches('{"done":true}')).toEqual({ lines: [], isDone: true })
})

test('next and previous wrap around', () => {
  expect(matchBeside(found, 0, 'next')).toBe(3)
  expect(matchBeside(found, 3, 'next')).toBe(9)
  expect(matchBeside(found, 9, 'next')).toBe(3)
  expect(matchBeside(found, 3, 'previous')).toBe(9)
  expect(matchBeside({ lines: [], isDone: true }, 3, 'next')).toBeUndefined()
})

test('the number of matches is reported in words', () => {
  expect(matchesText(found, undefined)).toBe('2 matches')
  expect(matchesText(found, 9)).toBe('2 of 2 matches')
  expect(matchesText({ lines: [4], isDone: false }, 4)).toBe('1 of 1 match and more')
  expect(matchesText({ lines: [], isDone: true }, undefined)).toBe('no match')
  expect(matchesText({ lines: [], isDone: false }, undefined)).toBe('no match so far')
  expect(matchesText(found, 3, ['error', 'errors'])).toBe('1 of 2 errors')
})
