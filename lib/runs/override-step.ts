import { badRequest, notFound } from '#lib/core/errors.ts'
import { isFinalRun, stepStatuses } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunStep } from './find-step.ts'
import { setStepStatus } from './set-step-status.ts'

/**
 * Sets the status of a step by hand. Nothing else changes: a later retry goes on from it.
 * @throws ServiceError `not_found` for a handler, `bad_request` while the run goes on
 */
export async function overrideStep(
  db: Database,
  input: { step: RunStep; statusCode: number },
): Promise<void> {
  const { run, planned, place } = input.step
  const status = stepStatuses[input.statusCode]
  if (status === undefined)
    throw badRequest(`status: must be an integer from 0 to 5, got ${input.statusCode}`)
  if (planned.handler !== undefined) throw notFound('step', planned.step.name)
  const stillGoing = badRequest(
    `run ${run.runId} of ${run.dagName} has not ended: its steps cannot be set by hand`,
  )
  if (!isFinalRun(run.status)) throw stillGoing
  const result = await setStepStatus(db, { runKey: run.runKey, name: planned.step.name, place, status })
  if (result !== 'set') throw stillGoing
}
