import type { Database } from '#lib/db/client.ts'

/**
 * Expires all leases and forgets all runners. For the start of a database that went down together with all of its
 * clients: then no owner can still be alive, and no lease needs to be waited for.
 */
export async function expireLeases(db: Database): Promise<void> {
  await db.call('expire_leases')
  await db.sql`delete from millrace.worker`
}
