import { expect, test } from 'vitest'
import { barOf, movedSpan, ticksOf, tickText, wholeSpan, zoomedSpan } from '#web/model/timeline-scale.ts'

test('bars are placed by their time', () => {
  const whole = wholeSpan([
    { startMs: 1_000, endMs: 3_000 },
    { startMs: 2_000, endMs: 5_000 },
  ])
  expect(whole).toEqual({ startMs: 1_000, endMs: 5_000 })
  expect(barOf(whole, { startMs: 2_000, endMs: 5_000 })).toEqual({ left: 25, width: 75 })
})

test('a span without length is visible, even at the end', () => {
  const whole = { startMs: 0, endMs: 100_000 }
  expect(barOf(whole, { startMs: 100_000, endMs: 100_000 })).toEqual({ left: 99.6, width: 0.4 })
  expect(wholeSpan([{ startMs: 7, endMs: 7 }])).toEqual({ startMs: 7, endMs: 8 })
  expect(wholeSpan([])).toEqual({ startMs: 0, endMs: 1 })
})

test.each([
  [2_100, ['0', '500 ms', '1 s', '1.5 s', '2 s']],
  [95_000, ['0', '30 s', '1 min', '90 s']],
  [7_200_000, ['0', '30 min', '1 h', '90 min', '2 h']],
])('the axis of %i ms has round ticks', (ms, texts) => {
  const whole = { startMs: 0, endMs: ms }
  expect(ticksOf(whole, whole).map(tickText)).toEqual(texts)
})

test('a zoomed span stays within the run, and shows only its bars and ticks', () => {
  const whole = { startMs: 1_000, endMs: 9_000 }
  const view = zoomedSpan(whole, whole, 2, 3_000)
  expect(view).toEqual({ startMs: 2_000, endMs: 6_000 })
  expect(barOf(view, { startMs: 1_000, endMs: 4_000 })).toEqual({ left: 0, width: 50 })
  expect(barOf(view, { startMs: 7_000, endMs: 8_000 })).toBeUndefined()
  expect(ticksOf(whole, view)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000])
  expect(movedSpan(whole, view, 0.25)).toEqual({ startMs: 3_000, endMs: 7_000 })
  expect(movedSpan(whole, view, 10)).toEqual({ startMs: 5_000, endMs: 9_000 })
  expect(zoomedSpan(whole, view, 0.1, 4_000)).toEqual(whole)
  const closest = zoomedSpan(whole, view, 1e9, 4_000)
  expect(closest.endMs - closest.startMs).toBe(10)
})
