import { expect, test } from 'vitest'
import { distanceText, durationText, instantOf } from '#web/model/durations.ts'

test.each([
  [0, '0 ms'],
  [940, '940 ms'],
  [4_250, '4.2 s'],
  [42_000, '42 s'],
  [184_000, '3 min 04 s'],
  [3_840_000, '1 h 04 min'],
  [183_600_000, '2 d 03 h'],
])('%i ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test.each([
  [0, 'now'],
  [-12_000, '12 s ago'],
  [-200_000, '3 min ago'],
  [5 * 3_600_000, 'in 5 h'],
  [-3 * 86_400_000, '3 d ago'],
])('%i ms from now is %s', (ms, text) => {
  expect(distanceText(1_000_000_000_000 + ms, 1_000_000_000_000)).toBe(text)
})

test('the empty text is not a time', () => {
  expect(instantOf('')).toBeUndefined()
  expect(instantOf('1970-01-01T00:00:01Z')).toBe(1_000)
})
