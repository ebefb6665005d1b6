import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { shareStatement } from '#lib/db/share-statement.ts'
import { stepsOf, toStepRecords, type StepRow } from '#lib/runs/steps/read-steps.ts'
import { rowOfRun, toRunRecord, type RunRow } from './run-columns.ts'
import type { RunRecord, RunRef, StepRecord } from './run-record.ts'

export interface RunWithSteps {
  readonly run: RunRecord
  /** By name, in the order of the definition; steps that have not started are absent. */
  readonly steps: ReadonlyMap<string, StepRecord>
  /** Version of the row. For an ended run it changes when the run is retried or a step is set by hand. */
  readonly version: string
}

interface Found {
  readonly version: string
  /** Null when the version is that of the request. */
  readonly row: (RunRow & { readonly steps: readonly StepRow[] }) | null
}

/** Lateral, because otherwise the planner reads all runs instead of looking up a few by key. */
const find = shareStatement<RunRef & { readonly version?: string | undefined }, Found | undefined>(
  async ({ sql }, requests) => {
    const wanted = requests.map((request, index) => ({ index, ...request }))
    const rows = await sql<(Found & { index: number })[]>`
      select wanted.index, found.*
      from json_to_recordset(${JSON.stringify(wanted)}::text::json)
        as wanted (index int, "dagName" text, "runId" text, version text)
      cross join lateral (
        select dag_run.xmin::text as version,
          case when dag_run.xmin::text is distinct from wanted.version then (
            select to_json(whole)
            from (select ${rowOfRun(sql)}, (${stepsOf(sql, sql`dag_run.run_key`)}) as steps) as whole
          ) end as row
        from millrace.dag_run
        where dag_name = wanted."dagName" and run_id = wanted."runId" and parent_key is null
        limit 1
      ) as found`
    const byPosition = new Map(rows.map((row) => [row.index, row]))
    return requests.map((_request, index) => byPosition.get(index))
  },
  { batchMax: 50 },
)

/**
 * Finds a root run with its steps, by the name of its DAG and its id. Concurrent calls share a statement. Relies on the
 * unique key of root runs.
 * @param knownVersion skips the read if the run still has this version
 * @returns undefined if it has
 * @throws ServiceError `not_found`
 */
export async function getRunWithSteps(
  db: Database,
  ref: RunRef,
  knownVersion?: string,
): Promise<RunWithSteps | undefined> {
  const found = await find(db, { ...ref, version: knownVersion })
  if (found === undefined) throw notFound(`run of ${ref.dagName}`, ref.runId)
  const { row, version } = found
  return row === null ? undefined : { run: toRunRecord(row), steps: toStepRecords(row.steps), version }
}
