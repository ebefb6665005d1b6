/** Runs all slices of a computation at once. */
export function finish<T>(slices: Generator<undefined, T>): T {
  for (;;) {
    const next = slices.next()
    if (next.done === true) return next.value
  }
}
