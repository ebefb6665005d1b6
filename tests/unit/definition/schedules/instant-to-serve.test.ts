import { expect, test } from 'vitest'
import { instantToServe } from '#lib/definition/schedules/instant-to-serve.ts'

const minute = 60_000
const hour = 60 * minute
const hourly = { expression: '0 * * * *', zone: undefined }
const start = Date.UTC(2026, 0, 5, 8)
const serve = (policy: 'none' | 'last' | 'all', nowMs: number, windowSec = 86_400) =>
  instantToServe(hourly, { dueMs: start, nowMs, catchUp: { policy, windowSec } }, 'UTC')

test('catchup none serves the due instant, and then those after now', () => {
  expect(serve('none', start + 3 * hour)).toEqual({ atMs: start, afterMs: start + 3 * hour })
})

test('catchup last serves the newest instant that has come, this moment included', () => {
  expect(serve('last', start + 1)).toEqual({ atMs: start, afterMs: start + 1 })
  expect(serve('last', start)).toEqual({ atMs: start, afterMs: start })
  expect(serve('last', start + 3 * hour + minute)).toEqual({
    atMs: start + 3 * hour,
    afterMs: start + 3 * hour + minute,
  })
})

test('catchup all serves one instant after the other', () => {
  expect(serve('all', start + 3 * hour)).toEqual({ atMs: start, afterMs: start })
})

test('catchup all begins with the first instant within the window', () => {
  const from = { atMs: start + 2 * hour, afterMs: start + 2 * hour }
  expect(serve('all', start + 4 * hour, 7200)).toEqual(from)
  expect(serve('all', start + 3 * hour + 1, 7200)).toEqual(from)
})

test('catchup all serves the due instant once when none lies within the window', () => {
  const nowMs = start + 30 * minute
  expect(serve('all', nowMs, 60)).toEqual({ atMs: start, afterMs: nowMs })
})
