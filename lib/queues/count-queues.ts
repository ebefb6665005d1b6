import type { Database } from '#lib/db/client.ts'

export interface QueueCount {
  readonly queue: string
  /** Status of the counted runs, or `control`: then the other fields describe pause and limit. */
  readonly status: string
  readonly count: number
  /** Key of the newest run, so that a run replaced by another changes the row. */
  readonly newest: string
}

/**
 * The number of active and queued runs of each queue, its pause and its limit: a compact fingerprint of all queues, to
 * detect changes without reading the runs.
 */
export async function countQueues({ sql }: Database): Promise<QueueCount[]> {
  return await sql<QueueCount[]>`
    select queue, status, count(*)::int as count, max(run_key)::text as newest
    from millrace.dag_run
    where queue is not null and status in ('not_started', 'running', 'queued')
    group by queue, status
    union all
    select name, 'control', coalesce(limit_override, max_concurrency, 0), concat_ws(' ', paused_at, limit_at)
    from millrace.queue
    where max_concurrency is not null or limit_override is not null or paused_at is not null
    order by queue, status`
}
