import { expect, test } from 'vitest'
import { barOf, ticksOf, tickText, wholeSpan } from '#web/model/timeline-scale.ts'

test('bars stand where their time is', () => {
  const whole = wholeSpan([
    { startMs: 1_000, endMs: 3_000 },
    { startMs: 2_000, endMs: 5_000 },
  ])
  expect(whole).toEqual({ startMs: 1_000, endMs: 5_000 })
  expect(barOf(whole, { startMs: 2_000, endMs: 5_000 })).toEqual({ left: 25, width: 75 })
})

test('a moment can be seen, also at the end', () => {
  const whole = { startMs: 0, endMs: 100_000 }
  expect(barOf(whole, { startMs: 100_000, endMs: 100_000 })).toEqual({ left: 99.6, width: 0.4 })
  expect(wholeSpan([{ startMs: 7, endMs: 7 }])).toEqual({ startMs: 7, endMs: 8 })
  expect(wholeSpan([])).toEqual({ startMs: 0, endMs: 1 })
})

test.each([
  [2_100, ['0', '0.5 s', '1 s', '1.5 s', '2 s']],
  [95_000, ['0', '30 s', '1 min', '90 s']],
  [7_200_000, ['0', '30 min', '1 h', '90 min', '2 h']],
])('the axis of %i ms', (ms, texts) => {
  expect(ticksOf({ startMs: 0, endMs: ms }).map(tickText)).toEqual(texts)
})
