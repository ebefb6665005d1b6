import type { Database } from '#lib/db/client.ts'
import { rowOfRun, toRunRecord, type RunRow } from './run-columns.ts'
import type { RunRecord } from './run-record.ts'

/**
 * The newest root run of each given DAG; a DAG that never ran is absent. One look-up in `dag_run_dag_idx` per name,
 * whatever the number of runs.
 */
export async function latestRuns(
  { sql }: Database,
  dagNames: readonly string[],
): Promise<Map<string, RunRecord>> {
  if (dagNames.length === 0) return new Map()
  const rows = await sql<RunRow[]>`
    select newest.*
    from json_array_elements_text(${JSON.stringify(dagNames)}::text::json) as given (name)
    cross join lateral (
      select ${rowOfRun(sql)}
      from millrace.dag_run
      where dag_name = given.name and parent_key is null
      order by created_at desc, run_key desc
      limit 1
    ) as newest`
  return new Map(rows.map((row) => [row.dagName, toRunRecord(row)]))
}
