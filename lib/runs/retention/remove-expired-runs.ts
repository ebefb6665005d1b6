import type { Database } from '#lib/db/client.ts'

/**
 * Removes runs whose time to be kept is over, each with all its child runs.
 * @param input.limit of root runs
 * @returns the keys of all removed runs; their logs are the caller's to remove
 */
export function removeExpiredRuns(db: Database, input: { limit: number }): Promise<readonly string[]> {
  return db.call('remove_expired_runs', input.limit)
}
