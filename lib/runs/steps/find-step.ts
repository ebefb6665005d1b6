import { notFound } from '#lib/core/errors.ts'
import { isFinalRun, isFinalStep } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { Definition, Step } from '#lib/definition/definition.ts'
import { planRun, type PlannedStep } from '#lib/engine/plan.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import { readSteps } from './read-steps.ts'
import type { RunRecord, StepRecord } from '#lib/runs/read/run-record.ts'

/** One step of a run, whether it has started or not. */
export interface RunStep {
  readonly run: RunRecord
  readonly definition: Definition
  readonly planned: PlannedStep
  readonly index: number
  readonly record: StepRecord | undefined
}

/**
 * Finds a step of a run. Handlers are found by their names (`onExit`, …).
 * @throws ServiceError `not_found`
 */
export async function findStep(
  db: Database,
  definitions: DefinitionReader,
  input: { run: RunRecord; stepName: string },
): Promise<RunStep> {
  const { run, stepName } = input
  const [definition, records] = await Promise.all([definitions.read(db, run), readSteps(db, run.runKey)])
  const steps = planRun(definition).steps
  const index = steps.findIndex(({ step }) => step.name === stepName)
  const planned = steps[index]
  if (planned === undefined) throw notFound('step', stepName)
  return { run, definition, planned, index, record: records.get(stepName) }
}

/** Whether standard output and standard error of a step go to one log. */
export function isMerged(definition: Definition, step: Step): boolean {
  return (step.logOutput ?? definition.logOutput) === 'merged'
}

/** Whether a step will write no more output: it has ended in the current attempt of the run, or the run has ended. */
export function isStepOver({ run, record }: Pick<RunStep, 'run' | 'record'>): boolean {
  if (isFinalRun(run.status)) return true
  return record !== undefined && record.attempt === run.attempt && isFinalStep(record.status)
}
