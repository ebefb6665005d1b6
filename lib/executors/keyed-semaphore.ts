interface Waiter {
  readonly key: string
  readonly begin: () => void
}

/** A counting semaphore for each key, such as a run. Waiters of a key are served in order. */
export class KeyedSemaphore {
  readonly #permits: number
  readonly #held = new Map<string, number>()
  #waiters: Waiter[] = []

  /** @param permits for each key */
  constructor(permits: number) {
    this.#permits = permits
  }

  /**
   * Waits for a permit.
   * @returns releases it
   * @throws Error when the signal is aborted first
   */
  async acquire(key: string, signal: AbortSignal): Promise<() => void> {
    if (this.#count(key) < this.#permits) this.#add(key, 1)
    else await this.#turn(key, signal)
    return () => this.#release(key)
  }

  #turn(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters = this.#waiters.filter((one) => one !== waiter)
        reject(new Error('stopped before its turn came', { cause: signal.reason }))
      }
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiter = { key, begin }
      this.#waiters.push(waiter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** The permit goes to the next waiter without becoming free. */
  #release(key: string): void {
    const next = this.#waiters.findIndex((one) => one.key === key)
    if (next < 0) this.#add(key, -1)
    else this.#waiters.splice(next, 1)[0]?.begin()
  }

  #count(key: string): number {
    return this.#held.get(key) ?? 0
  }

  #add(key: string, change: number): void {
    const count = this.#count(key) + change
    if (count === 0) this.#held.delete(key)
    else this.#held.set(key, count)
  }
}
