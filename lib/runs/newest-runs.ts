import type { Database } from '#lib/db/client.ts'
import { rowOfRun, toRunRecord, type RunRow } from './run-columns.ts'
import type { RunRecord } from './run-record.ts'

/** The newest root runs of a DAG, newest first. */
export async function newestRuns({ sql }: Database, dagName: string, count: number): Promise<RunRecord[]> {
  const rows = await sql<RunRow[]>`
    select ${rowOfRun(sql)}
    from millrace.dag_run
    where dag_name = ${dagName} and parent_key is null
    order by created_at desc, run_key desc
    limit ${count}`
  return rows.map(toRunRecord)
}
