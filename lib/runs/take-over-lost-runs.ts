import type { Database } from '#lib/db/client.ts'

/**
 * Makes runs of lost runners claimable again; answers how many.
 * @param input.leaseMs how long owners have, after the database was away, to say that they live
 */
export function takeOverLostRuns(db: Database, input: { limit: number; leaseMs: number }): Promise<number> {
  return db.call('take_over_lost_runs', input.limit, input.leaseMs)
}
