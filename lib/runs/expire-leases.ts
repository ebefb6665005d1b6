import type { Database } from '#lib/db/client.ts'

/**
 * Ends the leases of all runners and forgets them, for a database that was down with everybody who used it: nobody
 * has to be waited for.
 */
export async function expireLeases(db: Database): Promise<void> {
  await db.call('expire_leases')
  await db.sql`delete from millrace.worker`
}
