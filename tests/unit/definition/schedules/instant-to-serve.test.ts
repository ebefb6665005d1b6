import { expect, test } from 'vitest'
import { instantToServe } from '#lib/definition/schedules/instant-to-serve.ts'

const minute = 60_000
const hour = 60 * minute
const hourly = { expression: '0 * * * *', zone: undefined }
const start = Date.UTC(2026, 0, 5, 8)
const serve = (policy: 'none' | 'last' | 'all', nowMs: number, windowSec = 86_400) =>
  instantToServe(hourly, { dueMs: start, nowMs, catchUp: { policy, windowSec } }, 'UTC')

test('none: the instant that is due, and then what comes after now', () => {
  expect(serve('none', start + 3 * hour)).toEqual({ atMs: start, afterMs: start + 3 * hour })
})

test('last: the newest instant that has come, this moment included', () => {
  expect(serve('last', start + 1)).toEqual({ atMs: start, afterMs: start + 1 })
  expect(serve('last', start)).toEqual({ atMs: start, afterMs: start })
  expect(serve('last', start + 3 * hour + minute)).toEqual({
    atMs: start + 3 * hour,
    afterMs: start + 3 * hour + minute,
  })
})

test('all: one after the other', () => {
  expect(serve('all', start + 3 * hour)).toEqual({ atMs: start, afterMs: start })
})

test('all: from the first within the window on', () => {
  const from = { atMs: start + 2 * hour, afterMs: start + 2 * hour }
  expect(serve('all', start + 4 * hour, 7200)).toEqual(from)
  expect(serve('all', start + 3 * hour + 1, 7200)).toEqual(from)
})

test('all: when none lies within the window, what is due is looked at once', () => {
  const nowMs = start + 30 * minute
  expect(serve('all', nowMs, 60)).toEqual({ atMs: start, afterMs: nowMs })
})
