import { setImmediate } from 'node:timers/promises'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'

/**
 * Does work whose iterator rests after each short part. @throws ServiceError `service_unavailable` when it takes too
 * long
 */
export type Slices = (work: Iterable<unknown>) => Promise<void>

/** After so long others get a turn. */
const sliceMs = 10

/**
 * For the works of one call: other calls are answered meanwhile, and all of its works together get
 * `limits.scheduleMsMax`. Nobody waits for the answer any longer, so nothing goes on after that.
 */
export function createSlices(msMax: number = limits.scheduleMsMax): Slices {
  const endMs = performance.now() + msMax
  return async (work) => {
    let sinceMs = performance.now()
    for (const _ of work) {
      const nowMs = performance.now()
      if (nowMs - sinceMs < sliceMs) continue
      if (nowMs > endMs) throw tooMany(msMax)
      await setImmediate()
      sinceMs = performance.now()
    }
  }
}

const tooMany = (msMax: number): ServiceError =>
  new ServiceError(
    'service_unavailable',
    `the times of all schedules were not worked out within ${msMax / 1_000} s: ask for a shorter range`,
  )
