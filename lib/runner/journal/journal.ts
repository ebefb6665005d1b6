import { setTimeout as sleep } from 'node:timers/promises'
import { failpoint } from '#lib/core/failpoint.ts'

/** The result for one entry: it is durable, or another runner owns the run by now. */
export type Recorded = 'recorded' | 'lost'

/** The fields that the journal itself reads; the statement reads the rest. */
export interface Entry<Step extends { readonly name: string }> {
  readonly runKey: string
  /** The fence: entries of an older claim change nothing. */
  readonly token: string
  readonly steps: readonly Step[]
  readonly run?: object
}

export interface JournalOptions<Item> {
  /** Records a batch in one statement. Returns the keys of runs whose token is no longer valid. */
  readonly write: (batch: readonly Item[]) => Promise<{ readonly lost: readonly string[] }>
  /** True for a temporary failure: connection lost, server restarting. Other failures are caused by an entry. */
  readonly isTransient: (error: unknown) => boolean
  readonly onFailure: (error: unknown) => void
  /** Milliseconds before the first retry, and the maximum to which they double. */
  readonly retryMs?: { readonly first: number; readonly max: number }
  /** Size of an entry, and the maximum of a batch with several entries. */
  readonly weight?: { readonly of: (item: Item) => number; readonly max: number }
}

interface Waiting<Item> {
  item: Item
  readonly waiters: { resolve: (result: Recorded) => void; reject: (error: unknown) => void }[]
}

const batchEntriesMax = 200

/**
 * Group commit. At most one statement is in flight; entries that arrive meanwhile go into the next one, merged by run
 * (the latest state of each step wins). There are no timers: an idle runner waits for one commit, a busy one shares
 * each commit among its runs. A temporary failure is retried until the batch is durable or its runs are lost. Recording
 * twice changes nothing, so a lost response does no harm.
 */
export class Journal<Step extends { readonly name: string }, Item extends Entry<Step>> {
  readonly #options: JournalOptions<Item>
  readonly #pending = new Map<string, Waiting<Item>>()
  readonly #onWritten: (() => void)[] = []
  #writing: ReadonlySet<string> = new Set()
  #isWriting = false
  /** Set when the database refuses a batch: entries are written one by one until none is pending. */
  #oneByOne = false

  constructor(options: JournalOptions<Item>) {
    this.#options = options
  }

  /** Resolves when the entry is durable or refused; rejects when the entry itself causes an error. */
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

  /** Drops the pending entry of a lost run. */
  forget(runKey: string): void {
    const waiting = this.#pending.get(runKey)
    this.#pending.delete(runKey)
    for (const waiter of waiting?.waiters ?? []) waiter.resolve('lost')
  }

  /** Resolves when no entry of the run is pending or in flight. */
  async settled(runKey: string): Promise<void> {
    while (this.#pending.has(runKey) || this.#writing.has(runKey)) {
      await new Promise<void>((resolve) => {
        this.#onWritten.push(resolve)
      })
    }
  }

  async #writeAll(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    const { first, max } = this.#options.retryMs ?? { first: 50, max: 1_000 }
    for (let pause = first; this.#pending.size > 0;) {
      const batch = this.#nextBatch()
      for (const waiting of batch) this.#pending.delete(waiting.item.runKey)
      this.#writing = new Set(batch.map(({ item }) => item.runKey))
      const result = await this.#write(batch)
      this.#writing = new Set()
      for (const resolve of this.#onWritten.splice(0)) resolve()
      if (result === 'try again') await sleep(pause)
      pause = result === 'try again' ? Math.min(pause * 2, max) : first
    }
    this.#oneByOne = false
    this.#isWriting = false
  }

  #nextBatch(): Waiting<Item>[] {
    const { weight } = this.#options
    const batch: Waiting<Item>[] = []
    let total = 0
    for (const waiting of this.#pending.values()) {
      total += weight?.of(waiting.item) ?? 0
      if (batch.length > 0 && weight !== undefined && total > weight.max) break
      batch.push(waiting)
      if (batch.length === (this.#oneByOne ? 1 : batchEntriesMax)) break
    }
    return batch
  }

  async #write(batch: readonly Waiting<Item>[]): Promise<'done' | 'try again'> {
    try {
      failpoint('journal.writing')
      const { lost: keys } = await this.#options.write(batch.map((waiting) => waiting.item))
      failpoint('journal.written')
      const lost = new Set(keys)
      for (const { item, waiters } of batch) {
        for (const waiter of waiters) waiter.resolve(lost.has(item.runKey) ? 'lost' : 'recorded')
      }
    } catch (error) {
      this.#options.onFailure(error)
      const isTransient = this.#options.isTransient(error)
      if (!isTransient && batch.length === 1) {
        for (const waiter of batch[0]?.waiters ?? []) waiter.reject(error)
        return 'done'
      }
      this.#oneByOne ||= !isTransient
      for (const waiting of batch) this.#putBack(waiting)
      if (isTransient) return 'try again'
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
