/** A store that takes `ms` for every write, and counts the bytes. */
export function slowSink(ms: number): { sink: (bytes: Uint8Array) => Promise<void>; taken: () => number } {
  let taken = 0
  return {
    sink: async (bytes) => {
      await new Promise((resolve) => {
        setTimeout(resolve, ms)
      })
      taken += bytes.length
    },
    taken: () => taken,
  }
}
