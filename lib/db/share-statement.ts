import type { Database } from './client.ts'
import { isUnavailable } from './errors.ts'

interface Waiting<Request, Answer> {
  readonly request: Request
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export interface Sharing<Request> {
  /** Maximum number of requests per statement. */
  readonly batchMax: number
  /** Sorts the requests of a statement, for statements that must take locks in a fixed order. */
  readonly order?: (a: Request, b: Request) => number
}

/**
 * Group commit, also for reads: each process has at most one such statement in progress, and requests that arrive
 * meanwhile share the next one. There is no timer: a single request is sent at once. A statement that Postgres rejects
 * has changed nothing, so its requests are then retried one by one.
 * @param ask returns the results in the order of the requests
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
      // After a timeout or a lost connection the statement may have been executed, so it must not be sent again.
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await this.#answer([one])
    }
  }
}
