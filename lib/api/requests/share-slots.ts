import { ServiceError } from '#lib/core/errors.ts'

/**
 * Takes a slot and returns the function that gives it back, which may be called more than once. Without a caller, the
 * slot counts in the total only.
 */
export type TakeSlot = (caller: string | undefined) => () => void

/**
 * Bounds what is held at the same time, in total and by one caller, so that nobody can take everything.
 * @param what plural noun for the error
 * @returns a function that throws ServiceError `service_unavailable` when there is no slot
 */
export function createSlots(
  what: string,
  bounds: { readonly max: number; readonly perCallerMax: number; readonly retryAfterSeconds?: number },
): TakeSlot {
  const held = new Map<string, number>()
  let total = 0
  return (caller) => {
    const own = caller === undefined ? 0 : (held.get(caller) ?? 0)
    if (own >= bounds.perCallerMax) throw full(`${own} ${what} of this caller are already open`, bounds)
    if (total >= bounds.max) throw full(`${total} ${what} are already open`, bounds)
    if (caller !== undefined) held.set(caller, own + 1)
    total += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      total -= 1
      if (caller === undefined) return
      const left = (held.get(caller) ?? 1) - 1
      if (left === 0) held.delete(caller)
      else held.set(caller, left)
    }
  }
}

const full = (why: string, { retryAfterSeconds }: { readonly retryAfterSeconds?: number }): ServiceError =>
  new ServiceError(
    'service_unavailable',
    `${why}; try again`,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  )
