import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { completeRun, type RunState } from './load-run.ts'
import { newestRuns, type NewestFilter } from './newest-runs.ts'
import type { DefinitionReader } from './read-definition.ts'
import { readStepsOfRuns } from '#lib/runs/steps/read-steps.ts'

/** The newest runs of a DAG, of all or of one status, newest first, with everything that belongs to them. */
export async function readHistory(
  db: Database,
  definitions: DefinitionReader,
  filter: NewestFilter,
): Promise<RunState[]> {
  const runs = await newestRuns(db, filter, limits.historyRunsMax)
  const steps = await readStepsOfRuns(
    db,
    runs.map((run) => run.runKey),
  )
  const states = await Promise.all(
    runs.map((run) =>
      completeRun(db, definitions, { run, steps: steps.get(run.runKey) ?? new Map() }).catch(unlessRemoved),
    ),
  )
  return states.filter((state) => state !== undefined)
}

/** A run that was removed since it was listed has no text any more. */
function unlessRemoved(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
}
