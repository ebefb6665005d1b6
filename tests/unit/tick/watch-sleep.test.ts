import { expect, test } from 'vitest'
import { watchSleep } from '#lib/tick/watch-sleep.ts'

test('the time since the machine slept is counted from the moment when the sleep is noticed', () => {
  let [wall, monotonic] = [1_700_000_000_000, 500]
  const pass = (ms: number, asleepMs = 0): void => {
    wall += ms + asleepMs
    monotonic += ms
  }
  const { awakeMs } = watchSleep(
    () => wall,
    () => monotonic,
  )
  expect(awakeMs()).toBe(Infinity)
  pass(2_000, 40)
  expect(awakeMs()).toBe(Infinity)
  pass(2_000, 60_000)
  expect(awakeMs()).toBe(0)
  pass(2_000)
  expect(awakeMs()).toBe(2_000)
  pass(100, -3_600_000)
  expect(awakeMs()).toBe(2_100)
  pass(100, 3_600_000)
  expect(awakeMs()).toBe(0)
})
