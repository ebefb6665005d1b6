import type { Database } from '#lib/db/client.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { listChildRuns } from './list-child-runs.ts'
import type { DefinitionReader } from './read-definition.ts'
import { readSteps } from './read-steps.ts'
import type { ChildRecord, RunRecord, StepRecord } from './run-record.ts'

/** A run with everything that its details show. */
export interface RunState {
  readonly run: RunRecord
  readonly definition: Definition
  /** By name; steps that have not begun are absent. */
  readonly steps: ReadonlyMap<string, StepRecord>
  readonly children: readonly ChildRecord[]
}

/** Reads what belongs to a run that was read. */
export async function loadRun(
  db: Database,
  definitions: DefinitionReader,
  run: RunRecord,
): Promise<RunState> {
  const definition = await definitions.read(db, run)
  const [steps, children] = await Promise.all([
    readSteps(db, run.runKey),
    mayHaveChildren(definition) ? listChildRuns(db, run.runKey) : [],
  ])
  return { run, definition, steps, children }
}

const mayHaveChildren = ({ steps, handlers }: Definition): boolean =>
  [...steps, ...Object.values(handlers)].some((step) => step.child !== undefined)
