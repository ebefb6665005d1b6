import { badRequest, notFound } from '#lib/core/errors.ts'
import { stepStatuses } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunStep } from './find-step.ts'

/**
 * Sets the status of a step by hand. Nothing else changes; a later retry starts from this status.
 * @throws ServiceError `not_found` for a handler, `bad_request` while the run is active
 */
export async function setStepStatus(
  db: Database,
  { step: { run, planned, index }, statusCode }: { readonly step: RunStep; readonly statusCode: number },
): Promise<void> {
  const { name } = planned.step
  const status = stepStatuses[statusCode]
  if (status === undefined) throw badRequest(`status: must be an integer from 0 to 5, got ${statusCode}`)
  if (planned.handler !== undefined) throw notFound('step', name)
  const key = BigInt(run.runKey)
  const result = await db.call<'set' | 'running'>('set_step_status', key, name, index, status)
  if (result !== 'set') {
    throw badRequest(`run ${run.runId} of ${run.dagName} has not ended: its steps cannot be set by hand`)
  }
}
