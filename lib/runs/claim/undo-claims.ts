import type { Database } from '#lib/db/client.ts'
import type { Claim } from './renew-leases.ts'

/** Gives back runs whose claim was never answered: what it began has not begun. Claims that are over are ignored. */
export async function undoClaims(db: Database, owner: string, claims: readonly Claim[]): Promise<void> {
  await db.call('undo_claims', owner, claims)
}
