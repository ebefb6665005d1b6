export type Found = 'more' | 'found' | 'nothing'

export interface RepeaterOptions {
  /**
   * `more`: more work exists than could be done, call {@link Repeater.soon} once it can be; `found`: poll fast again.
   */
  readonly act: () => Promise<Found>
  readonly everyMs: number
  /** Upper limit of the interval, which doubles while nothing is found. */
  readonly slowestMs: number
  readonly onFailure: (error: unknown) => void
}

/** Maximum pause after a failure, milliseconds. */
const failurePauseMsMax = 1_000

/** Polls: performs `act` at intervals, never twice at the same time. A hint during a pass makes it run once more. */
export class Repeater {
  /** The last pass returned `more`. */
  hasMore = false
  readonly #options: RepeaterOptions
  #timer: NodeJS.Timeout | undefined
  #under: Promise<void> | undefined
  #isHinted = false
  #state: 'new' | 'running' | 'stopped' = 'new'
  #pauseMs: number

  constructor(options: RepeaterOptions) {
    this.#options = options
    this.#pauseMs = options.everyMs
  }

  /** True while a pass is running. */
  get isActing(): boolean {
    return this.#under !== undefined
  }

  get isStopped(): boolean {
    return this.#state === 'stopped'
  }

  /** Performs the first pass now, unless it was stopped before. */
  start(): void {
    if (this.#state !== 'new') return
    this.#state = 'running'
    this.soon()
  }

  /** Performs the next pass now, or right after the current one. */
  soon(): void {
    if (this.#state !== 'running') return
    this.#isHinted = true
    if (this.#under !== undefined) return
    clearTimeout(this.#timer)
    this.#under = this.#run()
  }

  /** Begins no other pass. Settles when none is running. */
  async stop(): Promise<void> {
    this.#state = 'stopped'
    clearTimeout(this.#timer)
    await this.#under
  }

  async #run(): Promise<void> {
    const { act, everyMs, slowestMs, onFailure } = this.#options
    while (this.#isHinted && this.#state === 'running') {
      this.#isHinted = false
      try {
        const found = await act()
        this.hasMore = found === 'more'
        this.#pauseMs = found === 'nothing' ? Math.min(this.#pauseMs * 2, slowestMs) : everyMs
      } catch (error) {
        if (!this.isStopped) onFailure(error)
        this.#pauseMs = Math.min(everyMs, failurePauseMsMax)
      }
    }
    this.#under = undefined
    if (this.#state === 'running') this.#timer = setTimeout(() => this.soon(), this.#pauseMs)
  }
}
