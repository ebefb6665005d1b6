import type { Database } from '#lib/db/client.ts'
import { dagConditions, latestOfDag, type DagFilter, type DagState } from './dag-filter.ts'

export interface DagStateRow {
  readonly fileName: string
  readonly group: string
  readonly suspended: boolean
  /** The status of its newest root run. */
  readonly state: DagState
}

/**
 * The state of each DAG, ordered by group and name. Costs one look-up in `dag_run_dag_idx` per DAG, however many runs
 * there are.
 * @param limit maximum number of rows; `total` counts all
 */
export async function listDagStates(
  { sql }: Database,
  filter: DagFilter,
  limit: number,
): Promise<{ readonly rows: readonly DagStateRow[]; readonly total: number }> {
  const rows = await sql<(DagStateRow & { readonly total: number })[]>`
    select dag.file_name as "fileName", dag.group_name as "group", dag.suspended_at is not null as suspended,
      coalesce(latest.state, 'never') as state, (count(*) over ())::int as total
    from millrace.dag ${latestOfDag(sql)}
    where ${dagConditions(sql, filter)}
    order by dag.group_name, lower(dag.dag_name), dag.file_name
    limit ${limit}`
  return { rows, total: rows[0]?.total ?? 0 }
}
