import { limits } from '#lib/core/limits.ts'
import { asServiceError } from './error-body.ts'
import { createSlots } from './share-slots.ts'

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

/** @param caller whoever the stream counts for; undefined: it counts in the total only */
export type StreamEvents = (stream: EventStream, caller: string | undefined) => Response

/** Serves event streams until `closing` is aborted. Their number is bounded, in total and for each caller. */
export function createEventStreams(closing: AbortSignal): StreamEvents {
  const take = createSlots('event streams', {
    max: limits.eventStreamsMax,
    perCallerMax: limits.eventStreamsPerCallerMax,
  })
  return ({ events }, caller) => {
    const giveBack = take(caller)
    const gone = new AbortController()
    const signal = AbortSignal.any([closing, gone.signal, AbortSignal.timeout(limits.eventStreamMsMax)])
    const reading = events(signal)[Symbol.asyncIterator]()
    const encoder = new TextEncoder()
    let heartbeat: NodeJS.Timeout | undefined
    const release = (): void => {
      clearInterval(heartbeat)
      giveBack()
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
            if (!next.done) return controller.enqueue(encoder.encode(written(next.value)))
            release()
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

const written = ({ id, event, data }: ServerEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
