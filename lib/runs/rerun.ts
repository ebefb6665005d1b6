import { notFound, ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { planRun } from '#lib/engine/plan.ts'
import { resetForRetry } from '#lib/engine/reset-for-retry.ts'
import type { DefinitionReader } from './read-definition.ts'
import { readRunSpec } from './read-run-spec.ts'
import { readSteps } from './read-steps.ts'
import { retryRun } from './retry-run.ts'
import type { RunRecord } from './run-record.ts'
import { startRun } from './start-run.ts'

/**
 * Retries a run. With its own id: a new attempt of the run, which keeps the steps that succeeded. With another id: a
 * new run from the stored definition and params; the old run stays as it is (spec/behaviour.md 4.4).
 * @throws ServiceError `already_running` while the run is active, `already_exists` when the other id is taken
 */
export async function rerun(
  db: Database,
  definitions: DefinitionReader,
  input: { run: RunRecord; newRunId: string; now: number; idempotencyKey?: string | undefined },
): Promise<void> {
  const { run, newRunId, now, idempotencyKey } = input
  if (newRunId === run.runId) return retryInPlace(db, definitions, run, idempotencyKey)
  const { spec, base } = await readRunSpec(db, run.definitionHash)
  const source = { fileName: run.fileName, defaultName: run.dagName, spec, base }
  const params = run.paramsGiven === undefined ? {} : { params: run.paramsGiven }
  await startRun(db, definitions, source, {
    mode: 'start',
    trigger: 'retry',
    now,
    dagRunId: newRunId,
    singleton: false,
    idempotencyKey,
    ...params,
    ...(run.queue !== undefined && { queue: run.queue }),
  })
}

async function retryInPlace(
  db: Database,
  definitions: DefinitionReader,
  run: RunRecord,
  retryKey: string | undefined,
): Promise<void> {
  const [definition, records] = await Promise.all([definitions.read(db, run), readSteps(db, run.runKey)])
  const plan = planRun(definition)
  const dropSteps = resetForRetry(plan, records.values())
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
