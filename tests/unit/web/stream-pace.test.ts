import { expect, test } from 'vitest'
import { nextStream } from '#web/model/stream-pace.ts'

test('a stream that lasted is reopened at once', () => {
  expect(nextStream({ lastedMs: 900_000, failures: 3 })).toEqual({ failures: 0, waitMs: 0 })
})

test('a stream that was cut off is reopened soon once, then each minute', () => {
  const first = nextStream({ lastedMs: 20_000, failures: 0 })
  expect(first).toEqual({ failures: 1, waitMs: 1_000 })
  expect(nextStream({ lastedMs: 20_000, ...first })).toEqual({ failures: 2, waitMs: 60_000 })
})

test('a stream that the service refused is reopened when the service says', () => {
  expect(nextStream({ lastedMs: 0, failures: 0, retryAfterMs: 15_000 }).waitMs).toBe(15_000)
  expect(nextStream({ lastedMs: 0, failures: 4, retryAfterMs: 0 }).waitMs).toBe(1_000)
})
