import { expect, test } from 'vitest'
import { barHeights } from '#web/model/bar-height.ts'

test('the longest run and a run in progress have the full height', () => {
  expect(barHeights([3_600_000, undefined])).toEqual([1, 1])
})

test('short runs stay visible beside long ones, in their order', () => {
  const [none = 0, short = 0, long = 0] = barHeights([0, 1_000, 3_600_000])
  expect(none).toBe(0.2)
  expect(short).toBeGreaterThan(0.4)
  expect(short).toBeLessThan(long)
})

test('no runs give no bars', () => {
  expect(barHeights([])).toEqual([])
})
