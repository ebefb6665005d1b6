import { expect, test } from 'vitest'
import { idleGaps, spanWithoutGaps, withoutGaps } from '#web/model/idle-time.ts'

const hour = 3_600_000
const first = { startMs: 0, endMs: 100_000 }
const second = { startMs: 50_000, endMs: 200_000 }
const late = { startMs: 10 * hour, endMs: 10 * hour + 100_000 }

test('a pause of hours between spans is a gap that is shown shortened', () => {
  expect(idleGaps([late, second, first])).toEqual([{ startMs: 200_000, endMs: 10 * hour, keptMs: 9_000 }])
})

test('pauses that are short, or short relative to the work, stay', () => {
  expect(idleGaps([first, { startMs: 150_000, endMs: 200_000 }])).toEqual([])
  expect(
    idleGaps([
      { startMs: 0, endMs: hour },
      { startMs: hour + 300_000, endMs: 2 * hour },
    ]),
  ).toEqual([])
  expect(idleGaps([])).toEqual([])
})

test('spans after a gap move towards it, and spans before it stay', () => {
  const gaps = idleGaps([first, second, late])
  expect(spanWithoutGaps(gaps, second)).toEqual(second)
  expect(spanWithoutGaps(gaps, late)).toEqual({ startMs: 209_000, endMs: 309_000 })
  expect(withoutGaps(gaps, (200_000 + 10 * hour) / 2)).toBe(204_500)
})
