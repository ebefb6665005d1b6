import type { Database } from '#lib/db/client.ts'

/** The number of claimable runs, and how long the oldest of them has waited. Relies on `dag_run_labels_idx`. */
export async function longestUnclaimed(db: Database): Promise<{ count: number; waitedMs: number }> {
  const [row] = await db.sql<{ count: number; waitedMs: number }[]>`
    select count(*)::int as count,
      coalesce(extract(epoch from clock_timestamp() - min(ready_at)) * 1000, 0)::float8 as "waitedMs"
    from millrace.dag_run
    where lease_owner is null and ready_at <= clock_timestamp() and status in ('not_started', 'running')`
  return row ?? { count: 0, waitedMs: 0 }
}
