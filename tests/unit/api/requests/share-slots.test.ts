import { expect, test } from 'vitest'
import { everybody } from '#lib/api/auth/auth.ts'
import { createEventStreams, EventStream } from '#lib/api/streams/event-stream.ts'
import { createSlots } from '#lib/api/requests/share-slots.ts'
import { limits } from '#lib/core/limits.ts'

test('no caller gets more than its share, and all callers together get no more than the maximum', () => {
  const take = createSlots('things', { max: 3, perCallerMax: 2 })
  const [first, second] = [take('ann'), take('ann')]
  expect(() => take('ann')).toThrow(
    expect.objectContaining({ code: 'service_unavailable', retryAfterSeconds: expect.any(Number) }),
  )
  const third = take(undefined)
  expect(() => take('bob')).toThrow('3 things are already open')
  first()
  first()
  take('bob')
  expect(() => take('bob')).toThrow('3 things are already open')
  second()
  third()
  take('ann')
  take('bob')
  expect(() => take('bob')).toThrow('2 things of this caller are already open')
})

test('one caller cannot take all event streams', async () => {
  const streams = createEventStreams(new AbortController().signal, () => ({
    lost: new AbortController().signal,
    release: () => undefined,
  }))
  const serve = (stream: EventStream, sharer: string): Response =>
    streams(stream, { caller: everybody, sharer })
  const silent = new EventStream(async function* (signal) {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield* []
  })
  const open = Array.from({ length: limits.eventStreamsPerCallerMax }, () => serve(silent, 'a page'))
  expect(() => serve(silent, 'a page')).toThrow('of this caller')
  open.push(serve(silent, 'somebody else'))
  await open[0]?.body?.cancel()
  open.push(serve(silent, 'a page'))
  for (const response of open.slice(1)) await response.body?.cancel()
})
