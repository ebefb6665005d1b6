/** What a runner knows of its right to run what it has claimed, by a clock that nobody can set. */
export interface Lease {
  /** A claim or a renewal that was sent at `sentAt` (milliseconds of {@link Lease.now}) was acknowledged. */
  readonly acknowledged: (sentAt: number) => void
  /** Milliseconds for which the leases are good without doubt; negative when they are not. */
  readonly remaining: () => number
  readonly now: () => number
  /** Settles when the leases are good: at once, or with the next acknowledgement. */
  readonly good: () => Promise<void>
}

export interface LeaseTimes {
  /** How long a lease lasts by the clock of the database. */
  readonly leaseMs: number
  /** Before its end so much is kept back to kill what is running. */
  readonly marginMs: number
}

/**
 * Counts from the moment at which a renewal was sent, not from its answer, so that the own view ends before the
 * database's. The clock stands still while the machine sleeps, but runs on while the process is stopped.
 */
export function keepLease({ leaseMs, marginMs }: LeaseTimes, now = () => performance.now()): Lease {
  let goodUntil = -Infinity
  const waiting: (() => void)[] = []
  return {
    now,
    acknowledged: (sentAt) => {
      goodUntil = Math.max(goodUntil, sentAt + leaseMs - marginMs)
      if (goodUntil > now()) for (const resolve of waiting.splice(0)) resolve()
    },
    remaining: () => goodUntil - now(),
    good: () =>
      new Promise((resolve) => {
        if (goodUntil > now()) resolve()
        else waiting.push(resolve)
      }),
  }
}
