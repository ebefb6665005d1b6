import { eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { parentRun, rootRun, runColumns, toRunRecord } from './run-columns.ts'
import type { RunRecord } from './run-record.ts'

/**
 * The newest root run of each given DAG; a DAG that never ran is absent. One look-up in `dag_run_dag_idx` per name,
 * whatever the number of runs.
 */
export async function latestRuns(db: Database, dagNames: readonly string[]): Promise<Map<string, RunRecord>> {
  if (dagNames.length === 0) return new Map()
  const keys = sql`(
      select (
        select newest.run_key from millrace.dag_run newest
        where newest.dag_name = given.name and newest.parent_key is null
        order by newest.created_at desc, newest.run_key desc
        limit 1
      )
      from jsonb_array_elements_text(${JSON.stringify(dagNames)}::text::jsonb) as given (name)
    )`
  const rows = await orm(db)
    .select(runColumns)
    .from(dagRun)
    .leftJoin(rootRun, eq(rootRun.runKey, dagRun.rootKey))
    .leftJoin(parentRun, eq(parentRun.runKey, dagRun.parentKey))
    .where(sql`${dagRun.runKey} in ${keys}`)
  return new Map(rows.map((row) => [row.dagName, toRunRecord(row)]))
}
