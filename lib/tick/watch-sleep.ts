/** Detects that the machine has slept. */
export interface SleepWatch {
  /** Milliseconds since the last detected sleep; Infinity: none detected. */
  readonly awakeMs: () => number
}

/**
 * Larger than any drift between the clocks from one call to the next, including time-server corrections. Milliseconds.
 */
const driftMsMax = 5_000

/**
 * Detects sleep of the machine (a closed laptop, a paused virtual machine): the wall clock advances or is corrected
 * afterwards, but the monotonic clock, which leases use, does not.
 */
export function watchSleep(wall = () => Date.now(), monotonic = () => performance.now()): SleepWatch {
  let offset = wall() - monotonic()
  let wokeAt = -Infinity
  return {
    awakeMs: () => {
      const now = monotonic()
      const before = offset
      offset = wall() - now
      if (offset - before > driftMsMax) wokeAt = now
      return now - wokeAt
    },
  }
}
