/** The clock of the database, in milliseconds since 1970. It alone decides when something is due. */
export interface DatabaseClock {
  readonly now: () => number
  /**
   * Adds a sample: the database returned `databaseMs` for a request sent at `sentAt` (milliseconds of a monotonic
   * clock).
   */
  readonly observed: (databaseMs: number, sentAt: number) => void
}

/** Maximum age of a sample, milliseconds. After that, a slower response replaces it. */
const sampleAgeMsMax = 60_000

/**
 * Estimates the clock of the database from the lease renewals. The fastest response of the last minute counts, because
 * a shorter round trip bounds the error. A response that contradicts it counts at once: a clock was set, or the machine
 * slept.
 */
export function followDatabaseClock(monotonic = () => performance.now()): DatabaseClock {
  let offset: number | undefined
  let roundTrip = Infinity
  let sampledAt = -Infinity
  return {
    // The local clock until the first response. Harmless: nothing is claimed before that.
    now: () => monotonic() + (offset ?? performance.timeOrigin),
    observed: (databaseMs, sentAt) => {
      const receivedAt = monotonic()
      const elapsed = receivedAt - sentAt
      const isPossible =
        offset !== undefined && offset >= databaseMs - receivedAt && offset <= databaseMs - sentAt
      if (isPossible && elapsed > roundTrip && receivedAt - sampledAt < sampleAgeMsMax) return
      offset = databaseMs - (sentAt + elapsed / 2)
      roundTrip = elapsed
      sampledAt = receivedAt
    },
  }
}
