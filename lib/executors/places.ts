interface Waiting {
  readonly owner: string
  readonly begin: () => void
}

/** Bounds how much of something each owner does at the same time. Those who wait are served in order. */
export class Places {
  readonly #perOwnerMax: number
  readonly #taken = new Map<string, number>()
  #waiting: Waiting[] = []

  constructor(perOwnerMax: number) {
    this.#perOwnerMax = perOwnerMax
  }

  /**
   * Waits for a place.
   * @returns gives it back
   * @throws Error when the signal is aborted first
   */
  async take(owner: string, signal: AbortSignal): Promise<() => void> {
    if (this.#count(owner) < this.#perOwnerMax) this.#add(owner, 1)
    else await this.#turn(owner, signal)
    return () => this.#giveBack(owner)
  }

  #turn(owner: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(new Error('stopped before its turn came', { cause: signal.reason }))
      }
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiting = { owner, begin }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** The place goes to the next in line without becoming free. */
  #giveBack(owner: string): void {
    const next = this.#waiting.findIndex((one) => one.owner === owner)
    if (next < 0) this.#add(owner, -1)
    else this.#waiting.splice(next, 1)[0]?.begin()
  }

  #count(owner: string): number {
    return this.#taken.get(owner) ?? 0
  }

  #add(owner: string, change: number): void {
    const count = this.#count(owner) + change
    if (count === 0) this.#taken.delete(owner)
    else this.#taken.set(owner, count)
  }
}
