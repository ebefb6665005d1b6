import type { Database } from '#lib/db/client.ts'

/**
 * Expires all leases and deletes all runners. For the start of a database that stopped together with all of its
 * clients: no owner can still be alive, so no lease has to be waited for.
 */
export async function expireLeases(db: Database): Promise<void> {
  await db.call('expire_leases')
  await db.sql`delete from millrace.worker`
}
