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
  /** Version of its DAG; undefined when that is no longer stored, or for a run without a file. */
  readonly version: number | undefined
  /** Version of the row. For an ended run it changes when the run is retried or a step is set by hand. */
  readonly rowVersion: string
}

interface Found {
  readonly rowVersion: string
  /** Null if the row still has the known version. */
  readonly row: (RunRow & { readonly steps: readonly StepRow[]; readonly version: number | null }) | null
}

/** Lateral, because otherwise the planner reads all runs instead of looking up a few by key. */
const find = shareStatement<RunRef & { readonly knownVersion?: string | undefined }, Found | undefined>(
  async ({ sql }, requests) => {
    const wanted = requests.map((request, index) => ({ index, ...request }))
    const rows = await sql<(Found & { index: number })[]>`
      select wanted.index, found.*
      from json_to_recordset(${JSON.stringify(wanted)}::text::json)
        as wanted (index int, "dagName" text, "runId" text, "knownVersion" text)
      cross join lateral (
        select dag_run.xmin::text as "rowVersion",
          case when dag_run.xmin::text is distinct from wanted."knownVersion" then (
            select to_json(whole)
            from (
              select ${rowOfRun(sql)}, (${stepsOf(sql, sql`dag_run.run_key`)}) as steps,
                case when file_name is not null then millrace.version_of(dag_run) end as version
            ) as whole
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
  const found = await find(db, { ...ref, knownVersion })
  if (found === undefined) throw notFound(`run of ${ref.dagName}`, ref.runId)
  const { row, rowVersion } = found
  if (row === null) return undefined
  return {
    run: toRunRecord(row),
    steps: toStepRecords(row.steps),
    version: row.version ?? undefined,
    rowVersion,
  }
}
