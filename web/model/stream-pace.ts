/** How a stream ended. */
export interface StreamEnd {
  /** How long it was open, milliseconds; 0: it never was. */
  readonly lastedMs: number
  /** How many streams in a row before it ended too early. */
  readonly failures: number
  /** The Retry-After of the service, if it refused this one. */
  readonly retryAfterMs?: number | undefined
}

export interface NextStream {
  readonly failures: number
  /** Milliseconds until the next try. */
  readonly waitMs: number
}

/** A stream that ends sooner was cut by a proxy, or by a function that buffers its responses. */
const enoughMs = 25_000
const soonMs = 1_000
const laterMs = 60_000

/** When to open the next stream: at once after a lasting one, only once a minute after two short ones. */
export function nextStream({ lastedMs, failures, retryAfterMs }: StreamEnd): NextStream {
  if (retryAfterMs !== undefined) return { failures: failures + 1, waitMs: Math.max(soonMs, retryAfterMs) }
  if (lastedMs >= enoughMs) return { failures: 0, waitMs: 0 }
  return { failures: failures + 1, waitMs: failures === 0 ? soonMs : laterMs }
}
