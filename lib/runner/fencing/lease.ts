/** The validity of a runner's leases, by a monotonic clock. */
export interface Lease {
  /** Reports that the database confirmed a claim or renewal sent at `sentAt` (milliseconds of {@link Lease.now}). */
  readonly acknowledged: (sentAt: number) => void
  /** Milliseconds for which the leases are certainly valid; 0 or less when they may have expired. */
  readonly remaining: () => number
  readonly now: () => number
  /** Resolves when the leases are certainly valid: now, or at the next acknowledgement. */
  readonly whenValid: () => Promise<void>
}

export interface LeaseTimes {
  /** Duration of a lease in the database, milliseconds. */
  readonly leaseMs: number
  /** Subtracted from it to leave time for killing running steps, milliseconds. */
  readonly marginMs: number
  /** Called at each acknowledgement with the milliseconds for which the leases are certainly valid. */
  readonly onRenewed: (ms: number) => void
}

/**
 * Counts from the time at which a renewal was sent, not from its response, so the lease ends for the runner before it
 * ends in the database. The monotonic clock stops while the machine sleeps, but not while the process is stopped.
 */
export function keepLease(
  { leaseMs, marginMs, onRenewed }: LeaseTimes,
  now = () => performance.now(),
): Lease {
  let validUntil = -Infinity
  const waiters: (() => void)[] = []
  return {
    now,
    acknowledged: (sentAt) => {
      validUntil = Math.max(validUntil, sentAt + leaseMs - marginMs)
      const ms = Math.max(0, validUntil - now())
      if (ms > 0) for (const resolve of waiters.splice(0)) resolve()
      onRenewed(ms)
    },
    remaining: () => validUntil - now(),
    whenValid: () =>
      new Promise((resolve) => {
        if (validUntil > now()) resolve()
        else waiters.push(resolve)
      }),
  }
}
