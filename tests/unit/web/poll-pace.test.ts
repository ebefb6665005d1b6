import { expect, test } from 'vitest'
import { pollMs } from '#web/model/poll-pace.ts'

test('polling is slower when nothing changes, and slower still when calls fail', () => {
  expect(pollMs({ unchangedMs: 0, failures: 0 })).toBe(2_000)
  expect(pollMs({ unchangedMs: 90_000, failures: 0 })).toBe(5_000)
  expect([1, 2, 3, 9].map((failures) => pollMs({ unchangedMs: 0, failures }))).toEqual([
    4_000, 8_000, 16_000, 30_000,
  ])
})
