import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'
import { stopRun } from './stop-run.ts'

/**
 * Asks a run and its children to stop. Returns at once; the steps end within their clean-up time.
 * @throws ServiceError `not_running` for a run that has ended or is queued
 */
export async function requestStop(db: Database, run: RunRecord): Promise<void> {
  const result = await stopRun(db, { runKey: run.runKey })
  if (result === 'not_running') {
    throw new ServiceError('not_running', `run ${run.runId} of ${run.dagName} is not running`)
  }
}
