import { invariant } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { getRun } from './get-run.ts'
import { getRunWithSteps } from './get-run-with-steps.ts'
import { listChildRuns } from '#lib/runs/children/list-child-runs.ts'
import type { DefinitionReader } from './read-definition.ts'
import { readSteps } from '#lib/runs/steps/read-steps.ts'
import type { ChildRecord, RunRecord, RunRef, StepRecord } from './run-record.ts'

/** A run with everything that its detail view shows. */
export interface RunState {
  readonly run: RunRecord
  readonly definition: Definition
  /** By name; a step that has not begun is absent. */
  readonly steps: ReadonlyMap<string, StepRecord>
  readonly children: readonly ChildRecord[]
}

/**
 * Finds a root run by the name of its DAG and its id (`latest`: the newest), and loads everything that belongs to it.
 * @throws ServiceError `not_found`
 */
export async function loadRootRun(
  db: Database,
  definitions: DefinitionReader,
  ref: RunRef,
): Promise<RunState> {
  if (ref.runId === 'latest') return await loadRun(db, definitions, await getRun(db, ref))
  const found = await getRunWithSteps(db, ref)
  invariant(found !== undefined, 'no version was known')
  return await completeRun(db, definitions, found)
}

/** Loads everything that belongs to a run. */
export async function loadRun(
  db: Database,
  definitions: DefinitionReader,
  run: RunRecord,
): Promise<RunState> {
  return await completeRun(db, definitions, { run, steps: await readSteps(db, run.runKey) })
}

/** Loads the rest of a run whose steps were read already. */
export async function completeRun(
  db: Database,
  definitions: DefinitionReader,
  { run, steps }: Pick<RunState, 'run' | 'steps'>,
): Promise<RunState> {
  const definition = await definitions.read(db, run)
  const children = mayHaveChildren(definition) ? await listChildRuns(db, run.runKey) : []
  return { run, definition, steps, children }
}

const mayHaveChildren = ({ steps, handlers }: Definition): boolean =>
  [...steps, ...Object.values(handlers)].some((step) => step.child !== undefined)
