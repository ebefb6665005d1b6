import type { Database } from '#lib/db/client.ts'
import type { Claim } from './renew-leases.ts'

/**
 * Gives back runs whose claim never reached its owner, and resets the steps it recorded as running. Ended claims are
 * ignored.
 */
export async function undoClaims(db: Database, owner: string, claims: readonly Claim[]): Promise<void> {
  await db.call('undo_claims', owner, claims)
}
