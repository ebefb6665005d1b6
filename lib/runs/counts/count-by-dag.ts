import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** What is counted for one stored DAG, of its root runs. */
export interface DagCounts {
  readonly fileName: string
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  /** Seconds since 1970; 0: never since it is counted. */
  readonly lastSuccessAt: number
  /** Of the last run that ended after it had started; undefined: there was none. */
  readonly lastDurationSeconds: number | undefined
}

export interface CountsByDag {
  /** Those that have been counted longest, so that none drops out while others come. */
  readonly dags: readonly DagCounts[]
  /** DAGs whose runs have ended that are not among them. */
  readonly omitted: number
}

/** Totals of the stored DAGs, of which a run has ended, as of the last call of `foldEnds`. */
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
