import { setTimeout as sleep } from 'node:timers/promises'
import { failpoint } from '#lib/core/failpoint.ts'

/** The answer for one entry: it is durable, or the run belongs to somebody else in the meantime. */
export type Recorded = 'recorded' | 'lost'

/** What the journal needs to know of an entry; the rest is the business of the statement. */
export interface Entry<Step extends { readonly name: string }> {
  readonly runKey: string
  /** The fence: entries of an older claim change nothing. */
  readonly token: string
  readonly steps: readonly Step[]
  readonly run?: object
}

export interface JournalOptions<Item> {
  /** Records a batch in one statement; answers with the keys of runs whose token is no longer valid. */
  readonly write: (batch: readonly Item[]) => Promise<{ readonly lost: readonly string[] }>
  /** True for a failure that may pass: connection lost, server restarting. Others are the fault of an entry. */
  readonly passes: (error: unknown) => boolean
  readonly onFailure: (error: unknown) => void
  /** Milliseconds before the first and the latest retry. */
  readonly retryMs?: { readonly first: number; readonly most: number }
  /** How large an entry is, and how large a batch of several may be. */
  readonly weight?: { readonly of: (item: Item) => number; readonly most: number }
}

interface Waiting<Item> {
  item: Item
  readonly waiters: { resolve: (result: Recorded) => void; reject: (error: unknown) => void }[]
}

const batchEntriesMax = 200

/**
 * Group commit: at most one statement is in progress, and what arrives meanwhile goes with the next, entries of one run
 * merged into one (the latest state of each step wins). No timers: an idle run waits for one commit, busy runs share
 * them. A batch that fails for a while is retried until it is durable or its runs are lost; recording twice changes
 * nothing, so an answer that was lost on the way does no harm.
 */
export class Journal<Step extends { readonly name: string }, Item extends Entry<Step>> {
  readonly #options: JournalOptions<Item>
  readonly #pending = new Map<string, Waiting<Item>>()
  readonly #turns: (() => void)[] = []
  #writing: ReadonlySet<string> = new Set()
  #isWriting = false
  /** Set after the database refused a batch: each entry goes by itself until the backlog is gone. */
  #alone = false

  constructor(options: JournalOptions<Item>) {
    this.#options = options
  }

  /** Settles when the entry is durable or refused; rejects when the database says that the entry itself is wrong. */
  record(item: Item): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      if (this.#pending.get(item.runKey)?.item.token !== item.token) this.forget(item.runKey)
      const waiting = this.#pending.get(item.runKey)
      if (waiting === undefined) this.#pending.set(item.runKey, { item, waiters: [{ resolve, reject }] })
      else {
        waiting.item = merged(waiting.item, item)
        waiting.waiters.push({ resolve, reject })
      }
      void this.#writeAll()
    })
  }

  /** Forgets what waits for a run that is lost. */
  forget(runKey: string): void {
    const waiting = this.#pending.get(runKey)
    this.#pending.delete(runKey)
    for (const waiter of waiting?.waiters ?? []) waiter.resolve('lost')
  }

  /** Settles when nothing of the run is waiting or in progress. */
  async settled(runKey: string): Promise<void> {
    while (this.#pending.has(runKey) || this.#writing.has(runKey)) {
      await new Promise<void>((resolve) => {
        this.#turns.push(resolve)
      })
    }
  }

  async #writeAll(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    const { first, most } = this.#options.retryMs ?? { first: 50, most: 1_000 }
    for (let pause = first; this.#pending.size > 0;) {
      const batch = this.#nextBatch()
      for (const waiting of batch) this.#pending.delete(waiting.item.runKey)
      this.#writing = new Set(batch.map(({ item }) => item.runKey))
      const result = await this.#write(batch)
      this.#writing = new Set()
      for (const resolve of this.#turns.splice(0)) resolve()
      if (result === 'try again') await sleep(pause)
      pause = result === 'try again' ? Math.min(pause * 2, most) : first
    }
    this.#alone = false
    this.#isWriting = false
  }

  #nextBatch(): Waiting<Item>[] {
    const { weight } = this.#options
    const batch: Waiting<Item>[] = []
    let total = 0
    for (const waiting of this.#pending.values()) {
      total += weight?.of(waiting.item) ?? 0
      if (batch.length > 0 && weight !== undefined && total > weight.most) break
      batch.push(waiting)
      if (batch.length === (this.#alone ? 1 : batchEntriesMax)) break
    }
    return batch
  }

  async #write(batch: readonly Waiting<Item>[]): Promise<'done' | 'try again'> {
    try {
      failpoint('journal.writing')
      const answer = await this.#options.write(batch.map((waiting) => waiting.item))
      failpoint('journal.written')
      const lost = new Set(answer.lost)
      for (const { item, waiters } of batch) {
        for (const waiter of waiters) waiter.resolve(lost.has(item.runKey) ? 'lost' : 'recorded')
      }
    } catch (error) {
      this.#options.onFailure(error)
      const passes = this.#options.passes(error)
      if (!passes && batch.length === 1) {
        for (const waiter of batch[0]?.waiters ?? []) waiter.reject(error)
        return 'done'
      }
      this.#alone ||= !passes
      for (const waiting of batch) this.#putBack(waiting)
      if (passes) return 'try again'
    }
    return 'done'
  }

  #putBack(older: Waiting<Item>): void {
    const newer = this.#pending.get(older.item.runKey)
    if (newer === undefined) {
      this.#pending.set(older.item.runKey, older)
      return
    }
    if (newer.item.token !== older.item.token) {
      for (const waiter of older.waiters) waiter.resolve('lost')
      return
    }
    newer.item = merged(older.item, newer.item)
    newer.waiters.unshift(...older.waiters)
  }
}

function merged<Step extends { readonly name: string }, Item extends Entry<Step>>(
  older: Item,
  newer: Item,
): Item {
  const steps = new Map(older.steps.map((step) => [step.name, step]))
  for (const step of newer.steps) steps.set(step.name, step)
  const run =
    older.run === undefined && newer.run === undefined ? {} : { run: { ...older.run, ...newer.run } }
  return { ...older, ...newer, ...run, steps: [...steps.values()] }
}
