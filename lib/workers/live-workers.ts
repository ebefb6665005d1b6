import type { Database } from '#lib/db/client.ts'

/**
 * The ids of runners with a heartbeat within the lease; empty if the database has no tables yet. Works with the schema
 * of any version.
 */
export async function liveWorkers(db: Database, leaseMs: number): Promise<string[]> {
  const [table] = await db.sql<{ there: boolean }[]>`
    select to_regclass('millrace.worker') is not null as there`
  if (table?.there !== true) return []
  const rows = await db.sql<{ id: string }[]>`
    select id from millrace.worker
    where heartbeat_at > clock_timestamp() - make_interval(secs => ${leaseMs / 1000}::float8) order by id`
  return rows.map(({ id }) => id)
}
