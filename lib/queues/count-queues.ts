import type { Database } from '#lib/db/client.ts'

export interface QueueCount {
  readonly queue: string
  readonly status: string
  readonly count: number
  /** Key of the newest run, so that one run in the place of another is noticed. */
  readonly newest: string
}

/** How many runs are active and wait in each queue: less than the runs themselves, of which there may be very many. */
export async function countQueues({ sql }: Database): Promise<QueueCount[]> {
  return await sql<QueueCount[]>`
    select queue, status, count(*)::int as count, max(run_key)::text as newest
    from millrace.dag_run
    where queue is not null and status in ('not_started', 'running', 'queued')
    group by queue, status
    order by queue, status`
}
