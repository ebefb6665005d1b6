import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunRecord } from '../read/run-record.ts'

/** Stops a run and its children, without waiting for their end. A run that was never claimed is cancelled at once. */
export async function stopRun(
  db: Database,
  input: { runKey: string },
): Promise<'stopping' | 'cancelled' | 'not_running'> {
  return await db.call('stop_run', BigInt(input.runKey))
}

/**
 * Stops a run and its children. Returns at once; the steps end within their clean-up time.
 * @throws ServiceError `not_running` for a run that has ended or is queued
 */
export async function requestStop(db: Database, { runKey, runId, dagName }: RunRecord): Promise<void> {
  const result = await stopRun(db, { runKey })
  if (result === 'not_running') {
    throw new ServiceError('not_running', `run ${runId} of ${dagName} is not running`)
  }
}

/** Passes the stop of a parent to a child run. Idempotent. */
export async function stopChild(db: Database, input: { runKey: string }): Promise<void> {
  await db.call('stop_child', BigInt(input.runKey))
}
