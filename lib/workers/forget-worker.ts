import type { Database } from '#lib/db/client.ts'

/** Forgets a runner that has ended in order: from now on nobody counts it as alive. One that owns a run stays. */
export async function forgetWorker(db: Database, id: string): Promise<void> {
  await db.sql`
    delete from millrace.worker w
    where w.id = ${id} and not exists (select from millrace.dag_run r where r.lease_owner = w.id)`
}
