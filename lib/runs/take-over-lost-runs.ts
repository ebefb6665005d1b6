import type { Database } from '#lib/db/client.ts'

/** Makes runs of lost runners claimable again; answers how many. */
export function takeOverLostRuns(db: Database, input: { limit: number }): Promise<number> {
  return db.call('take_over_lost_runs', input.limit)
}
