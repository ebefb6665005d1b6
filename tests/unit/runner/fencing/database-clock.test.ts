import { expect, test } from 'vitest'
import { followDatabaseClock } from '#lib/runner/fencing/database-clock.ts'

function clock() {
  let monotonic = 1_000
  const followed = followDatabaseClock(() => monotonic)
  return {
    now: followed.now,
    /** The database is asked, and answers after `took` by its clock of that moment. */
    ask: (databaseMs: number, took: number) => {
      const sentAt = monotonic
      monotonic += took
      followed.observed(databaseMs, sentAt)
    },
    pass: (ms: number) => {
      monotonic += ms
    },
  }
}

test('the fastest answer of the last minute sets the clock', () => {
  const { now, ask, pass } = clock()
  ask(500_000, 10)
  expect(now()).toBe(500_005)
  pass(1_000)
  ask(501_020, 40)
  expect(now()).toBe(501_045)
  pass(60_000)
  ask(561_050, 20)
  expect(now()).toBe(561_060)
})

test('an answer that contradicts the clock resets it at once, however slow it was', () => {
  const { now, ask, pass } = clock()
  ask(500_000, 10)
  pass(1_000)
  ask(4_000_000, 400)
  expect(now()).toBe(4_000_200)
  pass(1_000)
  ask(500_000, 500)
  expect(now()).toBe(500_250)
})
