import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { shareStatement } from '#lib/db/share-statement.ts'
import { stepsOf, toStepRecords, type StepRow } from '#lib/runs/steps/read-steps.ts'
import { rowOfRun, toRunRecord, type RunRow } from './run-columns.ts'
import type { RunRecord, RunRef, StepRecord } from './run-record.ts'

export interface RunWithSteps {
  readonly run: RunRecord
  /** By name, in the order of the definition; steps that have not begun are absent. */
  readonly steps: ReadonlyMap<string, StepRecord>
  /** Of a run that has ended: another one when the run was retried, or a step was set by hand. */
  readonly version: string
}

interface Found {
  readonly version: string
  /** Null when the version is the one that is known. */
  readonly row: (RunRow & { readonly steps: readonly StepRow[] }) | null
}

/** Lateral, because the planner would rather read all runs than look a few up by their key. */
const find = shareStatement<RunRef & { readonly version?: string | undefined }, Found | undefined>(
  async ({ sql }, requests) => {
    const wanted = requests.map((request, place) => ({ place, ...request }))
    const rows = await sql<(Found & { place: number })[]>`
      select wanted.place, found.*
      from json_to_recordset(${JSON.stringify(wanted)}::text::json)
        as wanted (place int, "dagName" text, "runId" text, version text)
      cross join lateral (
        select run.xmin::text as version,
          case when run.xmin::text is distinct from wanted.version then (
            select to_json(whole)
            from (select ${rowOfRun(sql)}, (${stepsOf(sql, sql`run.run_key`)}) as steps) as whole
          ) end as row
        from millrace.dag_run run
        where run.dag_name = wanted."dagName" and run.run_id = wanted."runId" and run.parent_key is null
        limit 1
      ) as found`
    const byPosition = new Map(rows.map((row) => [row.place, row]))
    return requests.map((_request, place) => byPosition.get(place))
  },
  { batchMax: 50 },
)

/**
 * Finds a root run by the name of its DAG and its id, with its steps. Concurrent calls share a statement.
 * Relies on the unique key of root runs.
 * @param knownVersion when it is still that of the run, nothing is read
 * @returns undefined when it is
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
