import { setImmediate } from 'node:timers/promises'

/**
 * Does work that comes in slices. Between two slices, others get their turn.
 * @returns the result itself when there is only one slice
 */
export function inTurns<T>(slices: Generator<undefined, T>): T | Promise<T> {
  const first = slices.next()
  return first.done === true ? first.value : theRest(slices)
}

async function theRest<T>(slices: Generator<undefined, T>): Promise<T> {
  for (;;) {
    await setImmediate()
    const next = slices.next()
    if (next.done === true) return next.value
  }
}
