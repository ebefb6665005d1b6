import { limits } from '#lib/core/limits.ts'

/**
 * Lets operations on files of users onto the thread pool: one at a time for each device, and few in all, so that a
 * device that never answers (a network disk, a FUSE mount) leaves threads for everybody else.
 */
export class DeviceTurns {
  readonly #busy = new Set<number>()
  readonly #waiting: { readonly device: number; readonly start: () => void }[] = []

  /**
   * @param device the `dev` of the file
   * @param act one operation of the pool
   * @throws Error of the operation, or that the device did not answer in `limits.fileAnswerMsMax`
   */
  async run<T>(device: number, act: () => Promise<T>): Promise<T> {
    const { promise: turn, resolve: start } = Promise.withResolvers<void>()
    const { promise: limit, reject } = Promise.withResolvers<never>()
    const entry = { device, start }
    this.#waiting.push(entry)
    this.#next()
    const timer = setTimeout(() => {
      const at = this.#waiting.indexOf(entry)
      if (at >= 0) this.#waiting.splice(at, 1)
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
    const at = this.#waiting.findIndex(({ device }) => !this.#busy.has(device))
    const [entry] = at < 0 ? [] : this.#waiting.splice(at, 1)
    if (entry === undefined) return
    this.#busy.add(entry.device)
    entry.start()
  }
}
