import type { Database } from '#lib/db/client.ts'

/** Makes runs claimable that were asked to stop and have no owner, so that a runner can end them. @returns how many */
export function releaseStoppedRuns(db: Database, input: { limit: number }): Promise<number> {
  return db.call('release_stopped_runs', input.limit)
}
