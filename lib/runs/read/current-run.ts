import type { Database } from '#lib/db/client.ts'
import { rowOfRun, toRunRecord, type RunRow } from './run-columns.ts'
import type { RunRecord } from './run-record.ts'

/**
 * The run that the page of a DAG shows: its newest running one, otherwise its newest. The running one is found by the
 * partial index of active runs, which the planner uses only if the status is a literal.
 */
export async function currentRun({ sql }: Database, dagName: string): Promise<RunRecord | undefined> {
  const [run] = await sql<RunRow[]>`
    with running as (
      select run_key from millrace.dag_run
      where dag_name = ${dagName} and parent_key is null and status = 'running'
      order by created_at desc, run_key desc
      limit 1
    ),
    newest as (
      select run_key from millrace.dag_run
      where dag_name = ${dagName} and parent_key is null
      order by created_at desc, run_key desc
      limit 1
    )
    select ${rowOfRun(sql)}
    from millrace.dag_run
    where run_key = coalesce((select run_key from running), (select run_key from newest))`
  return run && toRunRecord(run)
}
