import type { Database } from '#lib/db/client.ts'
import type { RunStatus } from '#lib/core/status.ts'
import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'

/** A due schedule entry, and the facts that decide what it does. Times are milliseconds since 1970. */
export interface DueRow {
  readonly fileName: string
  readonly kind: ScheduleKind
  readonly expression: string
  readonly zone: string | null
  /** The zone in which `dueMs` was computed, for an entry without a zone; null: unknown. */
  readonly defaultZone: string | null
  readonly dueMs: number
  readonly nowMs: number
  readonly suspended: boolean
  /** When the last suspension ended; null: never suspended. */
  readonly resumedMs: number | null
  readonly latestStatus: RunStatus | null
  readonly latestStartedMs: number | null
  readonly latestScheduledMs: number | null
  readonly aliveKey: string | null
  readonly aliveFinishedMs: number | null
}

/** For stop and restart entries: maximum number of runs before the instant to search for one that was active then. */
const searchedRunsMax = 1_000

/**
 * Picks some of the due entries at random, so that concurrent ticks get different ones. Relies on the index on
 * `schedule.next_at`, so the cost depends on the due entries only; the two subqueries read the newest runs of the DAG
 * by `dag_run_dag_idx`.
 * @param input.among number of oldest due entries to pick from
 */
export async function dueInstants(
  db: Database,
  input: { readonly among: number; readonly count: number },
): Promise<DueRow[]> {
  return await db.sql<DueRow[]>`
    select s.file_name as "fileName", s.kind, s.expression, s.zone, s.default_zone as "defaultZone",
      (extract(epoch from s.next_at) * 1000)::float8 as "dueMs",
      (extract(epoch from now()) * 1000)::float8 as "nowMs",
      d.suspended_at is not null as suspended,
      (extract(epoch from d.resumed_at) * 1000)::float8 as "resumedMs",
      latest.status as "latestStatus",
      (extract(epoch from latest.started_at) * 1000)::float8 as "latestStartedMs",
      (extract(epoch from latest.scheduled_at) * 1000)::float8 as "latestScheduledMs",
      alive.run_key::text as "aliveKey",
      (extract(epoch from alive.finished_at) * 1000)::float8 as "aliveFinishedMs"
    from (
      select due.* from (
        select * from millrace.schedule where next_at <= now() order by next_at limit ${input.among}
      ) due
      order by random()
      limit ${input.count}
    ) s
    join millrace.dag d on d.file_name = s.file_name
    left join lateral (
      select r.status, r.started_at, r.scheduled_at
      from millrace.dag_run r
      where r.dag_name = d.dag_name and r.parent_key is null
      order by r.created_at desc, r.run_key desc
      limit 1
    ) latest on true
    left join lateral (
      select newest.run_key, newest.finished_at
      from (
        select r.run_key, r.finished_at
        from millrace.dag_run r
        where r.dag_name = d.dag_name and r.parent_key is null and s.kind <> 'start' and r.created_at <= s.next_at
        order by r.created_at desc, r.run_key desc
        limit ${searchedRunsMax}
      ) newest
      where newest.finished_at is null or newest.finished_at >= s.next_at
      limit 1
    ) alive on true`
}

/**
 * Milliseconds until the next entry is due (0: one is); undefined when there is none.
 * @param input.later ignores entries that are already due
 */
export async function nextDueIn(db: Database, { later = false } = {}): Promise<number | undefined> {
  const [row] = await db.sql<{ ms: number | null }[]>`
    select greatest(0, extract(epoch from min(next_at) - now()) * 1000)::float8 as ms from millrace.schedule
    where not ${later}::boolean or next_at > now()`
  return row?.ms ?? undefined
}
