import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

export interface QueueMeasures {
  /** The custom queues and those that are paused, by name; at most {@link limits.dagsMeasuredMax}. */
  readonly pauses: readonly { readonly name: string; readonly paused: boolean }[]
  /** Waiting time of the oldest enqueued run, ignoring paused queues; 0: none waits. */
  readonly oldestQueuedSeconds: number
}

/** Queue metrics. The cost depends on the number of queued runs. */
export async function measureQueues({ sql }: Database): Promise<QueueMeasures> {
  const [row] = await sql<QueueMeasures[]>`
    select coalesce((
        select jsonb_agg(jsonb_build_object('name', shown.name, 'paused', shown.paused) order by shown.name)
        from (
          select q.name, q.paused_at is not null as paused from millrace.queue q
          where q.max_concurrency is not null or q.limit_override is not null or q.paused_at is not null
          order by paused desc, q.name
          limit ${limits.dagsMeasuredMax}::int
        ) as shown
      ), '[]') as pauses,
      (
        select greatest(coalesce(extract(epoch from clock_timestamp() - min(r.queued_at)), 0), 0)
        from millrace.dag_run r
        left join millrace.queue q on q.name = r.queue
        where r.status = 'queued' and q.paused_at is null
      )::float8 as "oldestQueuedSeconds"`
  return row ?? { pauses: [], oldestQueuedSeconds: 0 }
}
