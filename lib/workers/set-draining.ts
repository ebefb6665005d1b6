import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/**
 * Drains a runner, which then claims no runs and finishes those it has, or lets it claim again. A runner that is
 * shutting down reports itself as draining with its next heartbeat, whatever is set here.
 * @param input.by the actor; empty if unknown
 * @throws ServiceError `not_found`
 */
export async function setDraining(
  db: Database,
  { id, draining, by }: { readonly id: string; readonly draining: boolean; readonly by: string },
): Promise<void> {
  const rows = await db.sql`
    update millrace.worker
    set draining_at = case when ${draining}::boolean then coalesce(draining_at, clock_timestamp()) end,
      drained_by = case when ${draining}::boolean then coalesce(drained_by, ${by}) end
    where id = ${id}
    returning pg_notify('millrace_work', '')`
  if (rows.length === 0) throw notFound('runner', id)
}
