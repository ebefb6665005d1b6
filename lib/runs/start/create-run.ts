import type { Database } from '#lib/db/client.ts'
import { shareStatement } from '#lib/db/share-statement.ts'
import { createRuns, type CreateRunOutcome, type CreateRunRequest } from './create-runs.ts'

/**
 * Unique values are inserted in a fixed order (definitions, idempotency keys, ids). Otherwise two statements could
 * deadlock.
 */
const createShared = shareStatement(createRuns, {
  batchMax: 100,
  order: (a, b) =>
    a.definitionHash.localeCompare(b.definitionHash) ||
    (a.idempotencyKey ?? '').localeCompare(b.idempotencyKey ?? '') ||
    a.runId.localeCompare(b.runId),
})

/**
 * Creates a run. Concurrent plain starts of a process share a statement, and so a commit and a notification. Requests
 * that lock a queue or a DAG get a statement of their own.
 */
export async function createRun(
  db: Database,
  request: CreateRunRequest,
): Promise<CreateRunOutcome | undefined> {
  const takesLock = request.mode === 'enqueue' || request.singleton || request.parent !== null
  if (!takesLock) return await createShared(db, request)
  const [outcome] = await createRuns(db, [request])
  return outcome
}
