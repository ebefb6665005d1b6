/** Milliseconds since 1970 by the clock of the database: only that one decides when something is due. */
export interface DatabaseClock {
  readonly now: () => number
  /** The database said `databaseMs` in an answer that took from `sentAt` to now (milliseconds of a monotonic clock). */
  readonly heard: (databaseMs: number, sentAt: number) => void
}

/** How far a sample may age before a slower answer replaces it. */
const sampleAgeMsMax = 60_000

/**
 * Follows the clock of the database by the answers that come from it anyway. The fastest answer of the last minute
 * counts, because the reading lies somewhere between question and answer.
 */
export function followDatabaseClock(monotonic = () => performance.now()): DatabaseClock {
  let offset: number | undefined
  let roundTrip = Infinity
  let heardAt = -Infinity
  return {
    // Before the first answer nothing is claimed, so that this guess decides nothing.
    now: () => monotonic() + (offset ?? performance.timeOrigin),
    heard: (databaseMs, sentAt) => {
      const receivedAt = monotonic()
      const took = receivedAt - sentAt
      if (took > roundTrip && receivedAt - heardAt < sampleAgeMsMax) return
      offset = databaseMs - (sentAt + took / 2)
      roundTrip = took
      heardAt = receivedAt
    },
  }
}
