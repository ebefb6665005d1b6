import type { Database } from '#lib/db/client.ts'
import { withStatus } from './list-runs.ts'
import { rowOfRun, toRunRecord, type RunRow } from './run-columns.ts'
import type { RunRecord } from './run-record.ts'

export interface NewestFilter {
  readonly dagName: string
  /** The integer of the API, 0 to 6; undefined: any. */
  readonly status?: number
}

/** The newest root runs of a DAG, of all or of one status, newest first. */
export async function newestRuns(
  { sql }: Database,
  { dagName, status }: NewestFilter,
  count: number,
): Promise<RunRecord[]> {
  const rows = await sql<RunRow[]>`
    select ${rowOfRun(sql)}
    from millrace.dag_run
    where dag_name = ${dagName} and parent_key is null ${withStatus(sql, status)}
    order by created_at desc, run_key desc
    limit ${count}`
  return rows.map(toRunRecord)
}
