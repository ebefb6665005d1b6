import { limits } from '#lib/core/limits.ts'

/**
 * Limits file operations on the thread pool: one at a time per device, and few in total. So a device that never
 * responds (a network disk, a FUSE mount) cannot occupy all threads.
 */
export class DeviceTurns {
  readonly #busy = new Set<number>()
  readonly #waiting: { readonly device: number; readonly start: () => void }[] = []

  /**
   * @param device the `dev` of the file
   * @param act one operation on the thread pool
   * @throws the error of the operation, or Error when the device does not respond within `limits.fileAnswerMsMax`
   */
  async run<T>(device: number, act: () => Promise<T>): Promise<T> {
    const { promise: turn, resolve: start } = Promise.withResolvers<void>()
    const { promise: limit, reject } = Promise.withResolvers<never>()
    const entry = { device, start }
    this.#waiting.push(entry)
    this.#next()
    const timer = setTimeout(() => {
      const index = this.#waiting.indexOf(entry)
      if (index >= 0) this.#waiting.splice(index, 1)
      reject(new Error(`its disk has not answered for ${limits.fileAnswerMsMax / 1_000} s`))
    }, limits.fileAnswerMsMax)
    const work = turn.then(act).finally(() => {
      this.#busy.delete(device)
      this.#next()
    })
    try {
      return await Promise.race([work, limit])
    } finally {
      clearTimeout(timer)
    }
  }

  #next(): void {
    if (this.#busy.size >= limits.fileThreadsMax) return
    const index = this.#waiting.findIndex(({ device }) => !this.#busy.has(device))
    const [entry] = index < 0 ? [] : this.#waiting.splice(index, 1)
    if (entry === undefined) return
    this.#busy.add(entry.device)
    entry.start()
  }
}
