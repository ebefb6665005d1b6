import type { Database } from '#lib/db/client.ts'
import { isUnavailable } from '#lib/db/errors.ts'
import { createRuns, type CreateRunOutcome, type CreateRunRequest } from './create-runs.ts'

interface Waiting {
  readonly request: CreateRunRequest
  readonly resolve: (outcome: CreateRunOutcome | undefined) => void
  readonly reject: (error: unknown) => void
}

const batchMax = 100
const groups = new WeakMap<Database, Group>()

/**
 * Makes a run. Plain starts that a process is asked for at the same moment are made in one statement: one is under way
 * at most, and what arrives meanwhile goes with the next, so they share a commit and a wake-up. What takes a lock of a
 * queue or of a DAG goes by itself.
 */
export async function createRun(
  db: Database,
  request: CreateRunRequest,
): Promise<CreateRunOutcome | undefined> {
  if (request.mode === 'enqueue' || request.singleton || request.parent !== null) {
    const [outcome] = await createRuns(db, [request])
    return outcome
  }
  const group = groups.get(db) ?? new Group(db)
  groups.set(db, group)
  return await group.create(request)
}

class Group {
  readonly #db: Database
  readonly #waiting: Waiting[] = []
  #isBusy = false

  constructor(db: Database) {
    this.#db = db
  }

  create(request: CreateRunRequest): Promise<CreateRunOutcome | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject })
      if (!this.#isBusy) void this.#createAll()
    })
  }

  async #createAll(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      // In one order everywhere: two statements that insert the same definitions would wait for each other.
      const batch = this.#waiting.splice(0, batchMax).toSorted((a, b) => compare(a.request, b.request))
      await this.#createTogether(batch)
    }
    this.#isBusy = false
  }

  async #createTogether(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await createRuns(
        this.#db,
        batch.map(({ request }) => request),
      )
      for (const [place, { resolve }] of batch.entries()) resolve(outcomes[place])
    } catch (error) {
      // Nobody knows what came of a statement that was not answered; a refused one has done nothing.
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await this.#createTogether([one])
    }
  }
}

function compare(a: CreateRunRequest, b: CreateRunRequest): number {
  return a.definitionHash.localeCompare(b.definitionHash) || a.runId.localeCompare(b.runId)
}
