import { badRequest, notFound, ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { planRun } from '#lib/engine/plan.ts'
import { resetForRetry, resetStep } from '#lib/engine/reset-for-retry.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import { readSteps } from '#lib/runs/steps/read-steps.ts'
import { retryRun } from './retry-run.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'
import { startAgain } from './start-again.ts'

/**
 * Retries a run. With its own id: a new attempt, which keeps the steps that succeeded. With another id: a new run from
 * the stored definition and params; the old run is unchanged.
 * @param input.stepName the only step to run again in the new attempt; its dependents keep their results
 * @throws ServiceError `already_running` while the run is active, `already_exists` when the other id is taken,
 * `not_found` for a step that the run does not have
 */
export async function rerun(
  db: Database,
  definitions: DefinitionReader,
  input: {
    readonly run: RunRecord
    readonly newRunId: string
    readonly stepName?: string
    readonly now: number
    readonly triggeredBy?: string
    readonly idempotencyKey?: string | undefined
  },
): Promise<void> {
  const { run, newRunId, stepName, now, idempotencyKey, triggeredBy } = input
  if (newRunId === run.runId) return retryInPlace(db, definitions, { run, stepName, idempotencyKey })
  if (stepName) throw badRequest('stepName: is for a retry of the run under its own id')
  await startAgain(db, definitions, {
    run,
    dagRunId: newRunId,
    now,
    idempotencyKey,
    ...(triggeredBy !== undefined && { triggeredBy }),
  })
}

async function retryInPlace(
  db: Database,
  definitions: DefinitionReader,
  {
    run,
    stepName,
    idempotencyKey: retryKey,
  }: Readonly<{ run: RunRecord; stepName: string | undefined; idempotencyKey: string | undefined }>,
): Promise<void> {
  const [definition, records] = await Promise.all([definitions.read(db, run), readSteps(db, run.runKey)])
  const plan = planRun(definition)
  const dropSteps = stepName
    ? resetStep(plan, records.values(), stepName)
    : resetForRetry(plan, records.values())
  if (dropSteps === undefined) throw notFound('step', stepName ?? '')
  const result = await retryRun(db, {
    runKey: run.runKey,
    expectedAttempt: run.attempt,
    dropSteps,
    ...(retryKey !== undefined && { retryKey }),
  })
  if (result === 'gone') throw notFound('run', run.runId)
  if (result !== 'retried') {
    throw new ServiceError('already_running', `run ${run.runId} of ${run.dagName} has not ended`)
  }
}
