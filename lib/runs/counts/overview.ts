import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'

/** Running, waiting and failed runs. Durations are milliseconds. */
export interface RunOverview {
  readonly running: number
  readonly queued: number
  /** Age of the oldest run that waits in a queue or for a runner; null: none waits. */
  readonly oldestWaitMs: number | null
  /** Live runners that are not draining, and how many of them have a run; their slots, and how many are used. */
  readonly runners: {
    readonly live: number
    readonly busy: number
    readonly slots: number
    readonly used: number
  }
  /** DAGs with failed runs, most first. */
  readonly failing: readonly FailingDag[]
  /** Active root runs, longest first. */
  readonly longest: readonly LongRun[]
}

export interface FailingDag {
  readonly name: string
  readonly failed: number
  readonly newestRunId: string
}

export interface LongRun {
  readonly name: string
  readonly runId: string
  readonly startedMs: number
  readonly ms: number
  /** 95th percentile of the durations of the newest ended runs of its DAG; null: none has ended. */
  readonly p95Ms: number | null
}

const shownMax = 10
/** Number of newest runs for the percentile of a DAG. */
const comparedRuns = 100

/**
 * Reads all in one statement. Counts use the partial indexes of active runs, and failures use `dag_run_status_idx`, so
 * the cost depends on active runs and on failures since `fromMs`, not on the whole history.
 * @param fromMs start of the period for failures, milliseconds since 1970
 */
export async function readOverview({ sql }: Database, fromMs: number): Promise<RunOverview> {
  const [row] = await sql<[RunOverview]>`
    select
      (select count(*) from millrace.dag_run where parent_key is null and status = 'running')::int as running,
      (
        select count(*) from millrace.dag_run where parent_key is null and status in ('queued', 'not_started')
      )::int as queued,
      ${oldestWait(sql)} as "oldestWaitMs", ${runnersOf(sql)} as runners,
      ${failingDags(sql, fromMs)} as failing, ${longestRuns(sql)} as longest`
  return row
}

const oldestWait = (sql: Sql) => sql`
  (
    select case when min(since) is not null
      then greatest(0, millrace.ms(now()) - millrace.ms(min(since)))::float8 end
    from (
      select min(coalesce(queued_at, created_at)) as since from millrace.dag_run
      where parent_key is null and status = 'queued'
      union all
      select min(coalesce(ready_at, created_at)) from millrace.dag_run
      where parent_key is null and status = 'not_started'
    ) as waiting
  )`

const runnersOf = (sql: Sql) => sql`
  (
    select json_build_object(
      'live', count(*), 'busy', count(*) filter (where used > 0),
      'slots', coalesce(sum(slots), 0), 'used', coalesce(sum(used), 0)
    )
    from (
      select w.slots, (select count(*) from millrace.dag_run r where r.lease_owner = w.id) as used
      from millrace.worker w
      where w.heartbeat_at > clock_timestamp() - ${limits.runnerGoneMs} * interval '1 ms' and w.draining_at is null
    ) as live
  )`

const failingDags = (sql: Sql, fromMs: number) => sql`
  (
    select coalesce(json_agg(f order by failed desc, name), '[]') from (
      select dag_name as name, count(*)::int as failed,
        (array_agg(run_id order by created_at desc))[1] as "newestRunId"
      from millrace.dag_run
      where parent_key is null and status = 'failed' and created_at >= millrace.at(${fromMs}::float8)
      group by dag_name order by count(*) desc, dag_name limit ${shownMax}
    ) as f
  )`

const longestRuns = (sql: Sql) => sql`
  (
    select coalesce(json_agg(l order by ms desc), '[]') from (
      select r.dag_name as name, r.run_id as "runId", millrace.ms(r.started_at) as "startedMs",
        millrace.ms(now()) - millrace.ms(r.started_at) as ms, usual.p95 as "p95Ms"
      from (
        select * from millrace.dag_run
        where parent_key is null and status = 'running' and started_at is not null
        order by started_at limit ${shownMax}
      ) r
      left join lateral (
        select percentile_disc(0.95) within group (
          order by millrace.ms(newest.finished_at) - millrace.ms(newest.started_at)
        ) as p95
        from (
          select started_at, finished_at from millrace.dag_run
          where dag_name = r.dag_name and parent_key is null
          order by created_at desc, run_key desc limit ${comparedRuns}
        ) newest
        where newest.finished_at is not null and newest.started_at is not null
      ) usual on true
    ) as l
  )`
