/** A store that needs `ms` for whatever it is given; it counts the bytes that it has taken. */
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
