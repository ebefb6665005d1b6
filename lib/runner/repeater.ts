/** `more`: work is left that could not be done yet; `found`: work was done; `nothing`: there was none. */
export type PassResult = 'more' | 'found' | 'nothing'

export interface RepeaterOptions {
  /** Performs one pass. After `more`, call {@link Repeater.soon} once the work can be done. */
  readonly act: () => Promise<PassResult>
  readonly everyMs: number
  /** Maximum interval. The interval doubles while nothing is found. */
  readonly slowestMs: number
  readonly onFailure: (error: unknown) => void
}

/** Maximum pause after a failure, milliseconds. */
const failurePauseMsMax = 1_000

/** Performs `act` at intervals, never concurrently. A hint during a pass causes another pass. */
export class Repeater {
  /** True when the last pass returned `more`. */
  hasMore = false
  readonly #options: RepeaterOptions
  #timer: NodeJS.Timeout | undefined
  #pass: Promise<void> | undefined
  #isHinted = false
  #state: 'new' | 'running' | 'stopped' = 'new'
  #pauseMs: number

  constructor(options: RepeaterOptions) {
    this.#options = options
    this.#pauseMs = options.everyMs
  }

  get isActing(): boolean {
    return this.#pass !== undefined
  }

  get isStopped(): boolean {
    return this.#state === 'stopped'
  }

  /** Starts the first pass, unless already stopped. */
  start(): void {
    if (this.#state !== 'new') return
    this.#state = 'running'
    this.soon()
  }

  /** Starts the next pass now, or right after the current one. */
  soon(): void {
    if (this.#state !== 'running') return
    this.#isHinted = true
    if (this.#pass !== undefined) return
    clearTimeout(this.#timer)
    this.#pass = this.#run()
  }

  /** Starts no more passes. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#state = 'stopped'
    clearTimeout(this.#timer)
    await this.#pass
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
    this.#pass = undefined
    if (this.#state === 'running') this.#timer = setTimeout(() => this.soon(), this.#pauseMs)
  }
}
