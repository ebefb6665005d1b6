/** What a runner knows about the validity of its leases, by a monotonic clock. */
export interface Lease {
  /** A claim or renewal that was sent at `sentAt` (milliseconds of {@link Lease.now}) was acknowledged. */
  readonly acknowledged: (sentAt: number) => void
  /** Milliseconds for which the leases are certainly valid; 0 or negative when that is not certain. */
  readonly remaining: () => number
  readonly now: () => number
  /** Settles when the leases are certainly valid: at once, or with the next acknowledgement. */
  readonly good: () => Promise<void>
}

export interface LeaseTimes {
  /** Length of a lease in the database. */
  readonly leaseMs: number
  /** Subtracted from it, to leave time for killing what is running. */
  readonly marginMs: number
  /** Called with each acknowledgement: how long the leases are certainly valid. */
  readonly onRenewed: (ms: number) => void
}

/**
 * Counts from the moment at which a renewal was sent, not from its answer, so that the runner considers the lease over
 * before the database does. The clock stops while the machine sleeps, but not while the process is stopped.
 */
export function keepLease(
  { leaseMs, marginMs, onRenewed }: LeaseTimes,
  now = () => performance.now(),
): Lease {
  let goodUntil = -Infinity
  const waiting: (() => void)[] = []
  return {
    now,
    acknowledged: (sentAt) => {
      goodUntil = Math.max(goodUntil, sentAt + leaseMs - marginMs)
      const ms = Math.max(0, goodUntil - now())
      if (ms > 0) for (const resolve of waiting.splice(0)) resolve()
      onRenewed(ms)
    },
    remaining: () => goodUntil - now(),
    good: () =>
      new Promise((resolve) => {
        if (goodUntil > now()) resolve()
        else waiting.push(resolve)
      }),
  }
}
