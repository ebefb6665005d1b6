import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunRecord } from './run-record.ts'

/**
 * Cancels a queued run; its record is kept. When it is promoted at the same moment, exactly one of the two wins.
 * @throws ServiceError `not_found` when the run is not queued
 */
export async function dequeueRun(
  db: Database,
  { runKey, runId, dagName }: Pick<RunRecord, 'runKey' | 'runId' | 'dagName'>,
): Promise<void> {
  const [row] = await db.sql<{ result: 'dequeued' | 'not_queued' }[]>`
    select millrace.dequeue_run(${runKey}::bigint) as result`
  if (row?.result !== 'dequeued') {
    throw new ServiceError('not_found', `run ${runId} of ${dagName} is not in a queue`)
  }
}
