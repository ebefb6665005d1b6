import type { StepStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { newestRuns, type NewestFilter } from './newest-runs.ts'
import type { DefinitionReader } from './read-definition.ts'
import { unlessRemoved } from './read-history.ts'
import type { RunRecord } from './run-record.ts'

/** A run with the statuses of its steps, by name. Steps that have not started are absent. */
export interface GridRun {
  readonly run: RunRecord
  readonly definition: Definition
  readonly steps: ReadonlyMap<string, { readonly status: StepStatus }>
}

/** A page of {@link newestRuns} with the statuses of their steps, in two statements. */
export async function readGrid(
  db: Database,
  definitions: DefinitionReader,
  filter: NewestFilter,
  page: Parameters<typeof newestRuns>[2],
): Promise<{ readonly runs: readonly GridRun[]; readonly next: string | undefined }> {
  const { runs, next } = await newestRuns(db, filter, page)
  const states = await statesOf(
    db,
    runs.map(({ runKey }) => runKey),
  )
  const known = await Promise.all(
    runs.map(async (run) => {
      const definition = await definitions.read(db, run).catch(unlessRemoved)
      return definition && { run, definition, steps: states.get(run.runKey) ?? new Map() }
    }),
  )
  return { runs: known.filter((run) => run !== undefined), next }
}

async function statesOf(
  { sql }: Database,
  runKeys: readonly string[],
): Promise<Map<string, GridRun['steps']>> {
  if (runKeys.length === 0) return new Map()
  const rows = await sql<{ runKey: string; states: Record<string, StepStatus> }[]>`
    select given.key as "runKey", (
      select coalesce(json_object_agg(name, status), '{}')
      from millrace.dag_run_step where run_key = given.key::bigint
    ) as states
    from json_array_elements_text(${JSON.stringify(runKeys)}::text::json) as given (key)`
  return new Map(
    rows.map(({ runKey, states }) => [
      runKey,
      new Map(Object.entries(states).map(([name, status]) => [name, { status }])),
    ]),
  )
}
