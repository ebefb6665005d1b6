import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'

/**
 * Cancels a queued run; its record is kept. If it is promoted concurrently, exactly one of the two succeeds.
 * @throws ServiceError `not_found` when the run is not queued
 */
export async function dequeueRun(
  db: Database,
  { runKey, runId, dagName }: Pick<RunRecord, 'runKey' | 'runId' | 'dagName'>,
): Promise<void> {
  const result = await db.call<'dequeued' | 'not_queued'>('dequeue_run', BigInt(runKey))
  if (result !== 'dequeued') {
    throw new ServiceError('not_found', `run ${runId} of ${dagName} is not in a queue`)
  }
}
