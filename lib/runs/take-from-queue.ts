import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { dequeueRun } from './dequeue-run.ts'
import type { RunRecord } from './run-record.ts'

/**
 * Takes a run from its queue; it ends as cancelled. Against a promotion at the same moment exactly one wins.
 * @throws ServiceError `not_found` for a run that is in no queue
 */
export async function takeFromQueue(db: Database, run: RunRecord): Promise<void> {
  const result = await dequeueRun(db, { runKey: run.runKey })
  if (result !== 'dequeued') {
    throw new ServiceError('not_found', `run ${run.runId} of ${run.dagName} is not in a queue`)
  }
}
