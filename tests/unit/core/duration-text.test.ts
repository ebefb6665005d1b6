import { expect, test } from 'vitest'
import { durationText } from '#lib/core/duration-text.ts'

test.each([
  [-5, '0 ms'],
  [0.4, '0 ms'],
  [340, '340 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1_234, '1.2 s'],
  [12_000, '12 s'],
  [59_940, '59.9 s'],
  [59_960, '1 m 00 s'],
  [123_000, '2 m 03 s'],
  [3_599_600, '1 h 00 m'],
  [3_725_000, '1 h 02 m'],
  [86_399_999, '1 d 00 h'],
  [273_600_000, '3 d 04 h'],
])('%d ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
