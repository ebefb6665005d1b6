import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { completeRun, type RunState } from './load-run.ts'
import { newestRuns, type NewestFilter } from './newest-runs.ts'
import type { DefinitionReader } from './read-definition.ts'
import { readStepsOfRuns } from '#lib/runs/steps/read-steps.ts'

export interface History {
  readonly runs: readonly RunState[]
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined
}

/** A page of {@link newestRuns} with their details. */
export async function readHistory(
  db: Database,
  definitions: DefinitionReader,
  filter: NewestFilter,
  page: Parameters<typeof newestRuns>[2],
): Promise<History> {
  const { runs, next } = await newestRuns(db, filter, page)
  const steps = await readStepsOfRuns(
    db,
    runs.map((run) => run.runKey),
  )
  const states = await Promise.all(
    runs.map((run) =>
      completeRun(db, definitions, { run, steps: steps.get(run.runKey) ?? new Map() }).catch(unlessRemoved),
    ),
  )
  return { runs: states.filter((state) => state !== undefined), next }
}

/** Skips a run that was removed after it was listed: its definition is gone. */
export function unlessRemoved(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
}
