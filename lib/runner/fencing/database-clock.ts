/** The clock of the database, in milliseconds since 1970. It alone decides when something is due. */
export interface DatabaseClock {
  readonly now: () => number
  /**
   * Takes a sample: the database answered `databaseMs` to a request sent at `sentAt` (milliseconds of a monotonic
   * clock).
   */
  readonly observed: (databaseMs: number, sentAt: number) => void
}

/** Maximum age of a sample; after that, a slower answer replaces it. Milliseconds. */
const sampleAgeMsMax = 60_000

/**
 * Estimates the clock of the database from answers that arrive anyway. The fastest answer of the last minute counts,
 * because its reading was taken somewhere between request and answer. An answer that contradicts it counts at once: a
 * clock was set, or the machine slept.
 */
export function followDatabaseClock(monotonic = () => performance.now()): DatabaseClock {
  let offset: number | undefined
  let roundTrip = Infinity
  let heardAt = -Infinity
  return {
    // A guess until the first answer. Harmless: nothing is claimed before that.
    now: () => monotonic() + (offset ?? performance.timeOrigin),
    observed: (databaseMs, sentAt) => {
      const receivedAt = monotonic()
      const took = receivedAt - sentAt
      const isPossible =
        offset !== undefined && offset >= databaseMs - receivedAt && offset <= databaseMs - sentAt
      if (isPossible && took > roundTrip && receivedAt - heardAt < sampleAgeMsMax) return
      offset = databaseMs - (sentAt + took / 2)
      roundTrip = took
      heardAt = receivedAt
    },
  }
}
