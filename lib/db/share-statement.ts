import type { Database } from './client.ts'
import { isUnavailable } from './errors.ts'

interface Waiting<Request, Answer> {
  readonly request: Request
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export interface Sharing<Request> {
  /** Requests that one statement takes. */
  readonly batchMax: number
  /** The order within a statement, where its locks need one order everywhere. */
  readonly order?: (a: Request, b: Request) => number
}

/**
 * Group commit, and the same for reads: of one process, one statement is in progress at most, and the requests that
 * arrive meanwhile share the next one. No timers: a request that comes alone is sent at once. A statement that Postgres
 * refuses has done nothing, so each of its requests is then tried by itself.
 * @param ask answers in the order of the requests
 */
export function shareStatement<Request, Answer>(
  ask: (db: Database, requests: readonly Request[]) => Promise<readonly Answer[]>,
  sharing: Sharing<Request>,
): (db: Database, request: Request) => Promise<Answer> {
  const groups = new WeakMap<Database, Group<Request, Answer>>()
  return (db, request) => {
    const group = groups.get(db) ?? new Group((requests) => ask(db, requests), sharing)
    groups.set(db, group)
    return group.add(request)
  }
}

class Group<Request, Answer> {
  readonly #ask: (requests: readonly Request[]) => Promise<readonly Answer[]>
  readonly #sharing: Sharing<Request>
  readonly #waiting: Waiting<Request, Answer>[] = []
  #isBusy = false

  constructor(ask: (requests: readonly Request[]) => Promise<readonly Answer[]>, sharing: Sharing<Request>) {
    this.#ask = ask
    this.#sharing = sharing
  }

  add(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject })
      if (!this.#isBusy) void this.#answerAll()
    })
  }

  async #answerAll(): Promise<void> {
    const { batchMax, order } = this.#sharing
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMax)
      if (order !== undefined) batch.sort((a, b) => order(a.request, b.request))
      await this.#answer(batch)
    }
    this.#isBusy = false
  }

  async #answer(batch: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const answers = await this.#ask(batch.map(({ request }) => request))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      // Whether a statement that was not answered has been carried out is unknown: it must not be sent again.
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await this.#answer([one])
    }
  }
}
