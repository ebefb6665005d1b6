import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { StepStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import { listRuns } from './list-runs.ts'
import type { DefinitionReader } from './read-definition.ts'
import { readStepStatuses } from './read-steps.ts'
import type { RunRecord } from './run-record.ts'

export interface PastRun {
  readonly run: RunRecord
  /** Names of the steps of its definition. */
  readonly stepNames: readonly string[]
  /** By step name, handlers included. A step that has not begun is absent. */
  readonly statuses: ReadonlyMap<string, StepStatus>
}

/** The newest runs of a DAG, newest first, with the statuses of their steps. */
export async function readHistory(
  db: Database,
  definitions: DefinitionReader,
  dagName: string,
): Promise<PastRun[]> {
  const { runs } = await listRuns(db, { dagName }, { limit: limits.historyRunsMax })
  const statuses = await readStepStatuses(
    db,
    runs.map((run) => run.runKey),
  )
  const past: PastRun[] = []
  for (const run of runs) {
    const definition = await definitions.read(db, run).catch(unlessRemoved)
    if (definition === undefined) continue
    past.push({
      run,
      stepNames: definition.steps.map((step) => step.name),
      statuses: statuses.get(run.runKey) ?? new Map(),
    })
  }
  return past
}

/** A run that was removed since it was listed has no text any more. */
function unlessRemoved(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
}
