import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { completeRun, type RunState } from './load-run.ts'
import { newestRuns, type NewestFilter } from './newest-runs.ts'
import type { DefinitionReader } from './read-definition.ts'
import { readVersions } from './read-versions.ts'
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
  const keys = runs.map((run) => run.runKey)
  const [steps, versions] = await Promise.all([readStepsOfRuns(db, keys), readVersions(db, keys)])
  const states = await Promise.all(
    runs.map((run) => {
      const found = { run, steps: steps.get(run.runKey) ?? new Map(), version: versions.get(run.runKey) }
      return completeRun(db, definitions, found).catch(unlessRemoved)
    }),
  )
  return { runs: states.filter((state) => state !== undefined), next }
}

/** Skips a run that was removed after it was listed: its definition is gone. */
export function unlessRemoved(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
}
