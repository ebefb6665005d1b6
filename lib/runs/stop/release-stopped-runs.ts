import type { Database } from '#lib/db/client.ts'

/** Makes stopping runs without an owner claimable, so that a runner can end them. Returns their number. */
export function releaseStoppedRuns(db: Database, input: { limit: number }): Promise<number> {
  return db.call('release_stopped_runs', input.limit)
}
