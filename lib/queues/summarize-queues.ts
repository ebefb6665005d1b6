import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** A queue without the runs in it. Times are milliseconds since 1970. */
export interface QueueFacts {
  readonly name: string
  /** Limit of the settings, or its override; null: a queue of a DAG, which has the limit of the DAG. */
  readonly maxConcurrency: number | null
  /** Maximum number of active runs. */
  readonly capacity: number
  /** Runs that occupy the queue: active, or promoted and not claimed yet. */
  readonly used: number
  readonly waiting: number
  /** Waiting time of the run that was enqueued first, milliseconds; null: none waits. */
  readonly oldestWaitMs: number | null
  readonly oldestQueuedAt: number | null
  /**
   * Starts in the last hour, among the newest {@link limits.partOfIdRunsMax} root runs of the last day; null without
   * `countsStarts`.
   */
  readonly startsLastHour: number | null
  /** The limit of the settings while it is overridden. */
  readonly configuredLimit: number | null
  /** The override of the limit: by whom (empty: unknown) and when. */
  readonly override: { readonly by: string; readonly at: number } | null
  readonly pause: { readonly by: string; readonly at: number } | null
}

interface Selection {
  /** Only this queue, even if it is empty, provided it has a row or a DAG names it. */
  readonly name?: string
  readonly countsStarts: boolean
}

/**
 * The custom queues, paused queues, and queues with active or queued runs, by name. The cost depends on these runs and,
 * with `countsStarts`, on the runs of a day.
 */
export async function summarizeQueues({ sql }: Database, selection: Selection): Promise<QueueFacts[]> {
  const { name, countsStarts } = selection
  const onlyNamed = name === undefined ? sql`` : sql`and r.queue = ${name}`
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
      where r.queue is not null and r.status in ('not_started', 'running', 'queued') ${onlyNamed}
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
    ${countsStarts ? sql`left join ${startsByQueue(sql)} as started on started.name = s.name` : sql``}
    order by s.name collate "C"`
}

const startsByQueue = (sql: Database['sql']) => sql`(
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
