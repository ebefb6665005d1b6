export interface RepeaterOptions {
  /** `more`: there may be more to do, but not before {@link Repeater.soon} says so; `found`: begin fast again. */
  readonly act: () => Promise<'more' | 'found' | 'nothing'>
  readonly everyMs: number
  /** The interval doubles up to this while nothing is found. */
  readonly slowestMs: number
  readonly onFailure: (error: unknown) => void
}

/** After a failure the next try comes sooner than usual. */
const failurePauseMsMax = 1_000

/**
 * Does one thing again and again, never twice at the same time; a hint that comes meanwhile makes it be done once
 * more.
 */
export class Repeater {
  /** The last time there may have been more to do than could be done. */
  hasMore = false
  readonly #options: RepeaterOptions
  #timer: NodeJS.Timeout | undefined
  #under: Promise<void> | undefined
  #isHinted = false
  #isStopped = false
  #pauseMs: number

  constructor(options: RepeaterOptions) {
    this.#options = options
    this.#pauseMs = options.everyMs
  }

  /** Now, or as soon as what is under way is done. */
  soon(): void {
    if (this.#isStopped) return
    this.#isHinted = true
    if (this.#under !== undefined) return
    clearTimeout(this.#timer)
    this.#under = this.#run()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Settles when nothing is under way. */
  async settled(): Promise<void> {
    await this.#under
  }

  async #run(): Promise<void> {
    const { act, everyMs, slowestMs, onFailure } = this.#options
    while (this.#isHinted && !this.#isStopped) {
      this.#isHinted = false
      try {
        const found = await act()
        this.hasMore = found === 'more'
        this.#pauseMs = found === 'nothing' ? Math.min(this.#pauseMs * 2, slowestMs) : everyMs
      } catch (error) {
        onFailure(error)
        this.#pauseMs = Math.min(everyMs, failurePauseMsMax)
      }
    }
    this.#under = undefined
    if (!this.#isStopped) this.#timer = setTimeout(() => this.soon(), this.#pauseMs)
  }
}
