import { setImmediate } from 'node:timers/promises'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'

/** Runs work that yields after each short part. @throws ServiceError `service_unavailable` when it takes too long */
export type Slices = (work: Iterable<unknown>) => Promise<void>

/** Time after which the event loop gets a turn, milliseconds. */
const sliceMs = 10

/**
 * Creates the {@link Slices} of one request. They let the event loop serve other requests meanwhile, and have a common
 * time limit, after which the client no longer waits.
 */
export function createSlices(msMax: number = limits.scheduleMsMax): Slices {
  const endMs = performance.now() + msMax
  return async (work) => {
    let sinceMs = performance.now()
    for (const _ of work) {
      const nowMs = performance.now()
      if (nowMs - sinceMs < sliceMs) continue
      if (nowMs > endMs) throw timeLimitExceeded(msMax)
      await setImmediate()
      sinceMs = performance.now()
    }
  }
}

const timeLimitExceeded = (msMax: number): ServiceError =>
  new ServiceError(
    'service_unavailable',
    `the times of all schedules were not worked out within ${msMax / 1_000} s: ask for a shorter range`,
  )
