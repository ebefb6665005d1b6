import type { Database } from '#lib/db/client.ts'
import type { RunStatus } from '#lib/core/status.ts'
import type { ScheduleKind } from './schedule-rows.ts'

/** An entry of a schedule whose instant has come, and what decides about it. Times are milliseconds since 1970. */
export interface DueRow {
  readonly fileName: string
  readonly dagName: string
  readonly definitionHash: string
  readonly kind: ScheduleKind
  readonly expression: string
  readonly zone: string | null
  readonly dueMs: number
  readonly nowMs: number
  readonly suspended: boolean
  readonly latestStatus: RunStatus | null
  readonly latestStartedMs: number | null
  readonly latestScheduledMs: number | null
  readonly aliveKey: string | null
  readonly aliveFinishedMs: number | null
}

/** So many runs before an instant to stop or restart are looked at for one that lived then. */
const aliveSoughtMax = 1_000

/**
 * The entries that are due by the clock of the database, oldest first. Relies on the index on `schedule.next_at`, so
 * the cost follows what is due; the two look-ups beside it read the newest runs of the DAG by `dag_run_dag_idx`.
 */
export async function dueInstants(db: Database, limit: number): Promise<DueRow[]> {
  return await db.sql<DueRow[]>`
    select s.file_name as "fileName", d.dag_name as "dagName", d.definition_hash as "definitionHash",
      s.kind, s.expression, s.zone,
      (extract(epoch from s.next_at) * 1000)::float8 as "dueMs",
      (extract(epoch from now()) * 1000)::float8 as "nowMs",
      d.suspended_at is not null as suspended,
      latest.status as "latestStatus",
      (extract(epoch from latest.started_at) * 1000)::float8 as "latestStartedMs",
      (extract(epoch from latest.scheduled_at) * 1000)::float8 as "latestScheduledMs",
      alive.run_key::text as "aliveKey",
      (extract(epoch from alive.finished_at) * 1000)::float8 as "aliveFinishedMs"
    from millrace.schedule s
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
        limit ${aliveSoughtMax}
      ) newest
      where newest.finished_at is null or newest.finished_at >= s.next_at
      limit 1
    ) alive on true
    where s.next_at <= now()
    order by s.next_at
    limit ${limit}`
}

/** Milliseconds until the next entry is due, 0 when one is; undefined when there is none. */
export async function nextDueIn(db: Database): Promise<number | undefined> {
  const [row] = await db.sql<{ ms: number | null }[]>`
    select greatest(0, extract(epoch from min(next_at) - now()) * 1000)::float8 as ms from millrace.schedule`
  return row?.ms ?? undefined
}

/**
 * Moves an entry on, unless another tick was quicker.
 * @param nextAt undefined: it never comes again, and the entry is removed
 */
export async function advance(db: Database, due: DueRow, nextAt: number | undefined): Promise<void> {
  const { fileName, kind, expression, zone, dueMs } = due
  if (nextAt === undefined) {
    await db.sql`
      delete from millrace.schedule
      where file_name = ${fileName} and kind = ${kind} and expression = ${expression}
        and zone is not distinct from ${zone} and next_at = to_timestamp(${dueMs}::float8 / 1000)`
    return
  }
  await db.sql`
    update millrace.schedule set next_at = to_timestamp(${nextAt}::float8 / 1000)
    where file_name = ${fileName} and kind = ${kind} and expression = ${expression}
      and zone is not distinct from ${zone} and next_at = to_timestamp(${dueMs}::float8 / 1000)`
}
