import type { Database } from '#lib/db/client.ts'
import { shareStatement } from '#lib/db/share-statement.ts'
import { createRuns, type CreateRunOutcome, type CreateRunRequest } from './create-runs.ts'

/**
 * What must be unique is inserted in one order: definitions, keys of requests, ids. Otherwise two statements would wait
 * for each other.
 */
const createTogether = shareStatement(createRuns, {
  batchMax: 100,
  order: (a, b) =>
    a.definitionHash.localeCompare(b.definitionHash) ||
    (a.idempotencyKey ?? '').localeCompare(b.idempotencyKey ?? '') ||
    a.runId.localeCompare(b.runId),
})

/**
 * Makes a run. Plain starts that a process is asked for at the same moment share a statement, so a commit and a
 * wake-up. What takes a lock of a queue or of a DAG goes by itself.
 */
export async function createRun(
  db: Database,
  request: CreateRunRequest,
): Promise<CreateRunOutcome | undefined> {
  const takesLock = request.mode === 'enqueue' || request.singleton || request.parent !== null
  if (!takesLock) return await createTogether(db, request)
  const [outcome] = await createRuns(db, [request])
  return outcome
}
