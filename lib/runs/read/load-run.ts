import { invariant } from '#lib/core/errors.ts'
import { isFinalRun } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { getChildRun } from '#lib/runs/children/get-child-run.ts'
import { getRun } from './get-run.ts'
import { getRunWithSteps } from './get-run-with-steps.ts'
import { listChildRuns } from '#lib/runs/children/list-child-runs.ts'
import { lastSuccess, type LastSuccess } from './last-success.ts'
import type { DefinitionReader } from './read-definition.ts'
import { readVersions } from './read-versions.ts'
import { readPastTries, readSteps } from '#lib/runs/steps/read-steps.ts'
import type { ChildRecord, RunAddress, RunRecord, RunRef, StepRecord, StepTry } from './run-record.ts'

/** A run with the details of its page. */
export interface RunState {
  readonly run: RunRecord
  readonly definition: Definition
  /** By name; steps that have not started are absent. */
  readonly steps: ReadonlyMap<string, StepRecord>
  readonly children: readonly ChildRecord[]
  /** The current state of the run; set when the other fields describe an earlier attempt. */
  readonly latest?: RunRecord
  /** Tries in earlier attempts of the run, by step name. */
  readonly pastTries?: ReadonlyMap<string, readonly StepTry[]> | undefined
  /** Set only for a root run that ended without success. */
  readonly lastSuccess?: LastSuccess | undefined
  /** Version of its DAG; undefined when that is no longer stored, or for a run without a file. */
  readonly version?: number | undefined
}

/**
 * Finds a root run by the name of its DAG and its id (`latest`: the newest), and loads its details.
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

/**
 * Finds a descendant of a root run, and loads its details.
 * @throws ServiceError `not_found`
 */
export async function loadChildRun(
  db: Database,
  definitions: DefinitionReader,
  { dagName, runId, childId }: Required<RunAddress>,
): Promise<RunState> {
  const run = await getChildRun(db, { name: dagName, dagRunId: runId, childDAGRunId: childId })
  return await loadRun(db, definitions, run)
}

/** Loads the details of a run. */
export async function loadRun(
  db: Database,
  definitions: DefinitionReader,
  run: RunRecord,
): Promise<RunState> {
  const [steps, versions] = await Promise.all([readSteps(db, run.runKey), readVersions(db, [run.runKey])])
  return await completeRun(db, definitions, { run, steps, version: versions.get(run.runKey) })
}

/** Loads the details of a run whose steps and version have been read. */
export async function completeRun(
  db: Database,
  definitions: DefinitionReader,
  { run, steps, version }: Pick<RunState, 'run' | 'steps' | 'version'>,
): Promise<RunState> {
  const definition = await definitions.read(db, run)
  const [children, last, pastTries] = await Promise.all([
    mayHaveChildren(definition) ? listChildRuns(db, run.runKey) : [],
    hasFailed(run) ? lastSuccess(db, definitions, run) : undefined,
    run.attempt > 1 ? readPastTries(db, run.runKey) : undefined,
  ])
  return { run, definition, steps, children, lastSuccess: last, pastTries, version }
}

const hasFailed = ({ status, parent }: RunRecord): boolean =>
  parent === undefined && isFinalRun(status) && status !== 'success'

const mayHaveChildren = ({ steps, handlers }: Definition): boolean =>
  [...steps, ...Object.values(handlers)].some((step) => step.child !== undefined)
