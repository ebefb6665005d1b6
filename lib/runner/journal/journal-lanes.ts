import { Journal, type Entry, type JournalOptions, type Recorded } from './journal.ts'

export interface LaneOptions<Item> extends Omit<JournalOptions<Item>, 'weight'> {
  /** Records one large entry, in several statements if necessary. */
  readonly writeLarge: (item: Item) => Promise<{ readonly lost: readonly string[] }>
  /** Size of an entry in characters, and the size from which it counts as large. */
  readonly weight: { readonly of: (item: Item) => number; readonly large: number }
}

/**
 * Two journals, so that large entries (an output may have 16 MiB) delay only each other. Entries of one run are
 * recorded in order: while one is in the slow lane, later ones go there too.
 */
export class JournalLanes<Step extends { readonly name: string }, Item extends Entry<Step>> {
  readonly #quick: Journal<Step, Item>
  readonly #slow: Journal<Step, Item>
  readonly #weight: LaneOptions<Item>['weight']
  readonly #slowRuns = new Map<string, { entries: number; readonly isReady: Promise<void> }>()

  constructor({ writeLarge, weight, ...options }: LaneOptions<Item>) {
    this.#weight = weight
    this.#quick = new Journal({ ...options, weight: { of: weight.of, max: weight.large } })
    this.#slow = new Journal({
      ...options,
      write: ([item]) => (item === undefined ? Promise.resolve({ lost: [] }) : writeLarge(item)),
      weight: { of: () => 1, max: 1 },
    })
  }

  /** {@link Journal.record} */
  record(item: Item): Promise<Recorded> {
    const isQuick = !this.#slowRuns.has(item.runKey) && this.#weight.of(item) < this.#weight.large
    return isQuick ? this.#quick.record(item) : this.#recordSlowly(item)
  }

  /** {@link Journal.forget} */
  forget(runKey: string): void {
    this.#quick.forget(runKey)
    this.#slow.forget(runKey)
  }

  async #recordSlowly(item: Item): Promise<Recorded> {
    const { runKey } = item
    const run = this.#slowRuns.get(runKey) ?? { entries: 0, isReady: this.#quick.settled(runKey) }
    this.#slowRuns.set(runKey, run)
    run.entries += 1
    try {
      await run.isReady
      return await this.#slow.record(item)
    } finally {
      run.entries -= 1
      if (run.entries === 0) this.#slowRuns.delete(runKey)
    }
  }
}
