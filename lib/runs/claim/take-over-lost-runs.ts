import type { Database } from '#lib/db/client.ts'

/**
 * Makes runs whose lease has expired claimable again. Returns their number.
 * @param input.leaseMs no run is taken over for this time after a restart of the database, so that owners can renew
 * first
 */
export function takeOverLostRuns(db: Database, input: { limit: number; leaseMs: number }): Promise<number> {
  return db.call('take_over_lost_runs', input.limit, input.leaseMs)
}
