import { limits } from '#lib/core/limits.ts'
import type { Caller } from '#lib/api/auth/auth.ts'
import { asServiceError } from '#lib/api/answers/error-body.ts'
import { createSlots } from '#lib/api/requests/share-slots.ts'
import type { WatchCaller } from '#lib/api/auth/watch-callers.ts'

/** One server-sent event. Its data is JSON, so a line break in a log cannot end it. */
export interface ServerEvent {
  /** Cursor: the client sends it back as `Last-Event-ID` when it reconnects. */
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** An answer that is sent as server-sent events. */
export class EventStream {
  /** Ends when no more events can follow, or soon after the signal. */
  readonly events: (signal: AbortSignal) => AsyncIterable<ServerEvent>

  constructor(events: EventStream['events']) {
    this.events = events
  }
}

export const eventStreamType = 'text/event-stream'
const retryMs = 1_000

/** @param sharer whoever the stream counts for; undefined: it counts in the total only */
export type StreamEvents = (
  stream: EventStream,
  call: { readonly caller: Caller; readonly sharer: string | undefined },
) => Response

/**
 * Serves event streams until `closing` is aborted. Their number is bounded, in total and for each caller. A stream
 * whose caller has lost the rights that it began with ends with the event `revoked`.
 */
export function createEventStreams(closing: AbortSignal, watchCaller: WatchCaller): StreamEvents {
  const take = createSlots('event streams', {
    max: limits.eventStreamsMax,
    perCallerMax: limits.eventStreamsPerCallerMax,
    retryAfterSeconds: limits.eventStreamRetrySeconds,
  })
  return ({ events }, { caller, sharer }) => {
    const giveBack = take(sharer)
    const gone = new AbortController()
    const { lost, release: unwatch } = watchCaller(caller)
    const late = AbortSignal.timeout(limits.eventStreamMsMax)
    const signal = AbortSignal.any([closing, gone.signal, lost, late])
    const reading = events(signal)[Symbol.asyncIterator]()
    const encoder = new TextEncoder()
    let heartbeat: NodeJS.Timeout | undefined
    const release = (): void => {
      clearInterval(heartbeat)
      giveBack()
      unwatch()
      gone.abort()
    }
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          controller.enqueue(encoder.encode(`retry: ${retryMs}\n\n`))
          heartbeat = setInterval(
            () => controller.enqueue(encoder.encode(':\n\n')),
            limits.eventStreamHeartbeatMs,
          )
        },
        pull: async (controller) => {
          try {
            const next = await reading.next()
            if (!next.done && !lost.aborted) return controller.enqueue(encoder.encode(written(next.value)))
            release()
            if (lost.aborted) controller.enqueue(encoder.encode(revoked))
            controller.close()
          } catch (error) {
            release()
            // The server may send the message of the error.
            controller.error(asServiceError(error))
          }
        },
        cancel: release,
      },
      { highWaterMark: 0 },
    )
    return new Response(body, {
      headers: { 'content-type': eventStreamType, 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    })
  }
}

/** It has no id: it is not a state to continue after. */
const revoked = `event: revoked\ndata: ${JSON.stringify({ code: 'unauthorized' })}\n\n`

const written = ({ id, event, data }: ServerEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
