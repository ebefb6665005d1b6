import { expect, test } from 'vitest'
import { timeLeft } from '#web/model/eta.ts'

const minute = 60_000
const typical = { runs: 20, p50Ms: 10 * minute, p95Ms: 20 * minute }

test.each([
  [0, 'about 10 min left'],
  [5.4 * minute, 'about 5 min left'],
  [9.5 * minute, 'less than a minute left'],
  [11 * minute, 'about to end'],
  [23 * minute, 'longer than usual'],
])('a run that usually takes 10 min shows after %i ms: %s', (soFarMs, text) => {
  expect(timeLeft(typical, soFarMs)).toBe(text)
})

test('long remaining times are shown in hours', () => {
  expect(timeLeft({ runs: 3, p50Ms: 100 * minute }, 0)).toBe('about 1.5 h left')
})

test('nothing is estimated from two runs, for runs of seconds, or without statistics', () => {
  expect(timeLeft({ ...typical, runs: 2 }, 0)).toBeUndefined()
  expect(timeLeft({ runs: 20, p50Ms: 4_000 }, 0)).toBeUndefined()
  expect(timeLeft({ runs: 20 }, 0)).toBeUndefined()
})
