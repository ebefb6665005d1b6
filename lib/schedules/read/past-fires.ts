import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'
import type { RunStatus } from '#lib/core/status.ts'
import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'
import type { Span } from '#lib/definition/schedules/visit-fires.ts'
import { shownStatusOf } from '#lib/runs/read/run-filter.ts'

/** An instant that started a run. Times are milliseconds. */
export interface FiredRun {
  readonly atMs: number
  readonly fileName: string
  readonly dagName: string
  readonly kind: ScheduleKind
  readonly runId: string
  readonly status: RunStatus
  /** From the instant to the start of the run; if it has not started, to its end or to now. */
  readonly lateMs: number
}

/** A record that an entry missed all of its times in a range. Times are milliseconds since 1970. */
export interface MissedNote {
  readonly fileName: string
  readonly kind: ScheduleKind
  readonly expression: string
  readonly zone: string
  readonly fromMs: number
  readonly untilMs: number
  readonly why: string
}

type Query = Span & { readonly fileName?: string | undefined; readonly limit: number }

/** The newest runs that schedules started for instants of a span, newest first. Relies on `dag_run_scheduled_idx`. */
export async function firedRuns(
  { sql }: Database,
  { fromMs, untilMs, fileName, limit }: Query,
): Promise<FiredRun[]> {
  return await sql<FiredRun[]>`
    select millrace.ms(scheduled_at)::float8 as "atMs", file_name as "fileName", dag_name as "dagName",
      schedule_kind as kind, run_id as "runId", ${shownStatusOf(sql)} as status,
      greatest(0, millrace.ms(coalesce(started_at, finished_at, now())) - millrace.ms(scheduled_at))::float8 as "lateMs"
    from millrace.dag_run
    where ${instants(sql, { fromMs, untilMs, fileName })}
    order by scheduled_at desc, file_name desc
    limit ${limit}`
}

/** The number of runs that schedules started, for each instant of a span. */
export async function countFired(
  { sql }: Database,
  span: Omit<Query, 'limit'>,
): Promise<{ readonly atMs: number; readonly runs: number }[]> {
  return await sql<{ atMs: number; runs: number }[]>`
    select millrace.ms(scheduled_at)::float8 as "atMs", count(*)::int as runs
    from millrace.dag_run where ${instants(sql, span)} group by scheduled_at`
}

/** The records of missed times in a span, newest first. Each covers many times; the caller expands them. */
export async function missedNotes(
  { sql }: Database,
  { fromMs, untilMs, fileName, limit }: Query,
): Promise<MissedNote[]> {
  return await sql<MissedNote[]>`
    select file_name as "fileName", kind, expression, zone, millrace.ms(from_at)::float8 as "fromMs",
      millrace.ms(until_at)::float8 as "untilMs", why
    from millrace.missed_times
    where until_at >= millrace.at(${fromMs}::float8) and from_at <= millrace.at(${untilMs}::float8)
      ${fileName === undefined ? sql`` : sql`and file_name = ${fileName}`}
    order by until_at desc, file_name desc
    limit ${limit}`
}

const instants = (sql: Sql, { fromMs, untilMs, fileName }: Omit<Query, 'limit'>) => sql`
  scheduled_at >= millrace.at(${fromMs}::float8) and scheduled_at <= millrace.at(${untilMs}::float8)
  ${fileName === undefined ? sql`` : sql`and file_name = ${fileName}`}`
