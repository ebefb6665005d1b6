import type { Database } from '#lib/db/client.ts'

/** Deregisters a runner that shut down cleanly. A runner that still owns a run stays registered. */
export async function forgetWorker(db: Database, id: string): Promise<void> {
  await db.sql`
    delete from millrace.worker w
    where w.id = ${id} and not exists (select from millrace.dag_run r where r.lease_owner = w.id)`
}
