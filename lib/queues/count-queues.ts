import type { Database } from '#lib/db/client.ts'

export interface QueueCount {
  readonly queue: string
  /** Of the runs that are counted; or `control`, for what somebody has set: its pause and its limit. */
  readonly status: string
  readonly count: number
  /** Key of the newest run, so that one run instead of another is noticed. */
  readonly newest: string
}

/**
 * How many runs are active and wait in each queue, and which are paused and limited: less than the runs themselves, of
 * which there may be very many.
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
