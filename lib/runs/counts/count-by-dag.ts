import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** Totals of the root runs of one stored DAG. */
export interface DagCounts {
  readonly fileName: string
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  /** Seconds since 1970; 0: no success since counting began. */
  readonly lastSuccessAt: number
  /** Duration of the last started run that ended; undefined: none. */
  readonly lastDurationSeconds: number | undefined
}

export interface CountsByDag {
  /** The DAGs counted for longest, so that new DAGs never displace others. */
  readonly dags: readonly DagCounts[]
  /** Number of further DAGs with totals. */
  readonly omitted: number
}

/** Totals of the stored DAGs with ended runs, as of the last call of `foldEnds`. */
export async function countByDag(db: Database): Promise<CountsByDag> {
  const rows = await db.sql<(DagCounts & { total: number })[]>`
    select file_name as "fileName", succeeded::float8, failed::float8, cancelled::float8,
      coalesce(extract(epoch from last_success_at), 0)::float8 as "lastSuccessAt",
      extract(epoch from last_duration)::float8 as "lastDurationSeconds",
      (select count(*) from millrace.dag_total)::int as total
    from millrace.dag_total
    order by since, file_name
    limit ${limits.dagsMeasuredMax}`
  const dags = rows.map((row) => ({ ...row, lastDurationSeconds: row.lastDurationSeconds ?? undefined }))
  return { dags, omitted: (rows[0]?.total ?? 0) - rows.length }
}
