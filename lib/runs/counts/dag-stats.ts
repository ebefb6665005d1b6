import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'

/** Statistics of the newest ended root runs of a DAG. Times are milliseconds; null: no data. */
export interface DagStats {
  readonly runs: number
  /** Fraction of the runs with success or partial success, 0 to 1. */
  readonly successRate: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  /** Median time from the creation or enqueueing to the start. */
  readonly waitP50Ms: number | null
  readonly steps: Readonly<Record<string, StepStats>>
}

export interface StepStats {
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  /** Fraction of its executions that failed, 0 to 1. */
  readonly failRate: number
}

/** Ended runs among the newest; active runs have no duration yet. */
const endedOf = (sql: Sql, dagName: string, runs: number) => sql`
  select * from (
    select run_key, xmin, status, created_at, queued_at, started_at, finished_at
    from millrace.dag_run
    where dag_name = ${dagName} and parent_key is null
    order by created_at desc, run_key desc
    limit ${runs}
  ) as newest
  where finished_at is not null`

/** A version that changes whenever the result of {@link readDagStats} may change. */
export async function statsVersion({ sql }: Database, dagName: string, runs: number): Promise<string> {
  const [{ version }] = await sql<[{ version: string }]>`
    select coalesce(md5(string_agg(run_key || '-' || xmin, ' ' order by run_key)), '') as version
    from (${endedOf(sql, dagName, runs)}) as ended`
  return version
}

/** @param runs number of newest runs to read, ended or not */
export async function readDagStats({ sql }: Database, dagName: string, runs: number): Promise<DagStats> {
  const [stats] = await sql<[DagStats]>`
    with ended as materialized (${endedOf(sql, dagName, runs)})
    select count(*)::int as runs,
      avg((status in ('success', 'partial_success'))::int)::float8 as "successRate",
      ${quantile(sql, 0.5)} as "p50Ms", ${quantile(sql, 0.95)} as "p95Ms",
      percentile_disc(0.5) within group (
        order by floor(date_part('epoch', started_at - coalesce(queued_at, created_at)) * 1000)
      ) as "waitP50Ms",
      (
        select coalesce(json_object_agg(name, json_build_object('p50Ms', p50, 'p95Ms', p95, 'failRate', rate)), '{}')
        from (
          select name, ${quantile(sql, 0.5)} as p50, ${quantile(sql, 0.95)} as p95,
            avg((status = 'failed')::int)::float8 as rate
          from millrace.dag_run_step
          where run_key in (select run_key from ended) and finished_at is not null and started_at is not null
          group by name
        ) as step
      ) as steps
    from ended`
  return stats
}

const quantile = (sql: Sql, fraction: number) => sql`
  percentile_disc(${fraction}::float8) within group (
    order by floor(date_part('epoch', finished_at - started_at) * 1000 + 0.5)
  )`
