import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** A queue without the runs in it. Times are milliseconds since 1970. */
export interface QueueFacts {
  readonly name: string
  /** Of the settings, or the one that somebody has set; null: the queue of a DAG, which has the limit of the DAG. */
  readonly maxConcurrency: number | null
  /** Runs that may be active in it at once. */
  readonly capacity: number
  /** Runs that take a place: they are active, or promoted and not claimed yet. */
  readonly used: number
  readonly waiting: number
  /** How long the one waits that was enqueued first, milliseconds; null: none waits. */
  readonly oldestWaitMs: number | null
  readonly oldestQueuedAt: number | null
  /** Of the newest {@link limits.partOfIdRunsMax} root runs of a day; null unless it was asked for. */
  readonly startsLastHour: number | null
  /** That of the settings while another is in force. */
  readonly configuredLimit: number | null
  /** Somebody has set the limit. `by` is empty when it is not known who. */
  readonly override: { readonly by: string; readonly at: number } | null
  readonly pause: { readonly by: string; readonly at: number } | null
}

interface Asked {
  /** Only this queue, also when nothing is in it: one that has a row or that a DAG names. */
  readonly name?: string
  readonly countsStarts: boolean
}

/**
 * The custom queues, those that are paused, and those with active or queued runs; by name. The cost follows these runs,
 * and with `countsStarts` those of a day.
 */
export async function summarizeQueues({ sql }: Database, asked: Asked): Promise<QueueFacts[]> {
  const { name, countsStarts } = asked
  const one = name === undefined ? sql`` : sql`and r.queue = ${name}`
  const shown =
    name === undefined
      ? sql`
        select q.name from millrace.queue q
        where q.max_concurrency is not null or q.limit_override is not null or q.paused_at is not null`
      : sql`
        select q.name from millrace.queue q where q.name = ${name}
        union
        select ${name} from millrace.dag d
        where coalesce(d.queue, d.dag_name) = ${name} or d.dag_name = ${name}`
  return await sql<QueueFacts[]>`
    with live as (
      select r.queue as name, count(*) filter (where r.status <> 'queued')::int as used,
        count(*) filter (where r.status = 'queued')::int as waiting,
        min(r.queued_at) filter (where r.status = 'queued') as oldest
      from millrace.dag_run r
      where r.queue is not null and r.status in ('not_started', 'running', 'queued') ${one}
      group by r.queue
    ),
    shown as (${shown} union select name from live),
    of_dags as (
      select coalesce(d.queue, d.dag_name) as name, max(d.max_active_runs) as most
      from millrace.dag d
      where coalesce(d.queue, d.dag_name) in (select name from shown)
      group by 1
    )
    select s.name, coalesce(q.limit_override, q.max_concurrency) as "maxConcurrency",
      coalesce(q.limit_override, q.max_concurrency, of_dags.most, 1) as capacity,
      coalesce(live.used, 0) as used, coalesce(live.waiting, 0) as waiting,
      case when live.oldest is not null
        then greatest(extract(epoch from clock_timestamp() - live.oldest) * 1000, 0) end::float8 as "oldestWaitMs",
      millrace.ms(live.oldest)::float8 as "oldestQueuedAt",
      ${countsStarts ? sql`coalesce(started.runs, 0)` : sql`null::int`} as "startsLastHour",
      case when q.limit_override is not null then q.max_concurrency end as "configuredLimit",
      case when q.limit_override is not null
        then jsonb_build_object('by', q.limit_by, 'at', millrace.ms(q.limit_at)) end as override,
      case when q.paused_at is not null
        then jsonb_build_object('by', q.paused_by, 'at', millrace.ms(q.paused_at)) end as pause
    from shown s
    left join millrace.queue q on q.name = s.name
    left join live on live.name = s.name
    left join of_dags on of_dags.name = s.name
    ${countsStarts ? sql`left join ${startedOf(sql)} as started on started.name = s.name` : sql``}
    order by s.name collate "C"`
}

const startedOf = (sql: Database['sql']) => sql`(
  select newest.queue as name, count(*)::int as runs
  from (
    select r.queue, r.started_at from millrace.dag_run r
    where r.parent_key is null and r.created_at > now() - interval '1 day'
    order by r.created_at desc, r.run_key desc
    limit ${limits.partOfIdRunsMax}::int
  ) as newest
  where newest.started_at > now() - interval '1 hour'
  group by newest.queue
)`
