/** Tells how long the machine has been awake. */
export interface SleepWatch {
  /** Milliseconds since the machine was last found to have slept; Infinity: never. */
  readonly awakeMs: () => number
}

/** The clocks drift apart by less between two looks, whatever a time server does. Milliseconds. */
const driftMsMax = 5_000

/**
 * Finds out that the machine slept (a closed laptop, a paused virtual machine): its wall clock continued, or was set
 * afterwards, and its monotonic clock, by which processes count the time that they have, did not.
 */
export function watchSleep(wall = () => Date.now(), monotonic = () => performance.now()): SleepWatch {
  let apart = wall() - monotonic()
  let wokeAt = -Infinity
  return {
    awakeMs: () => {
      const now = monotonic()
      const before = apart
      apart = wall() - now
      if (apart - before > driftMsMax) wokeAt = now
      return now - wokeAt
    },
  }
}
