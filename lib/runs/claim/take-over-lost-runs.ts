import type { Database } from '#lib/db/client.ts'

/**
 * Makes runs whose lease has expired claimable again. @returns how many
 * @param input.leaseMs how long after a restart of the database no run is taken over, so that owners can renew first
 */
export function takeOverLostRuns(db: Database, input: { limit: number; leaseMs: number }): Promise<number> {
  return db.call('take_over_lost_runs', input.limit, input.leaseMs)
}
