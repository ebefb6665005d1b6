import type { Database } from '#lib/db/client.ts'

/** Deregisters runners that had no heartbeat for an hour and own no run. Returns their number. */
export async function forgetWorkers(db: Database): Promise<number> {
  const rows = await db.sql`
    delete from millrace.worker w
    where w.heartbeat_at < clock_timestamp() - interval '1 hour'
      and not exists (select from millrace.dag_run r where r.lease_owner = w.id)
    returning 1`
  return rows.length
}
