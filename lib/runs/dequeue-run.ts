import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunRecord } from './run-record.ts'

/**
 * Takes a run out of its queue; it is kept as cancelled. Against a promotion at the same moment exactly one wins.
 * @throws ServiceError `not_found` for a run that is in no queue
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
