import type { Database } from '#lib/db/client.ts'

/**
 * Removes runs whose retention time is over, each with all of its descendants.
 * @param input.limit maximum number of root runs
 * @returns the keys of all removed runs; the caller must remove their logs
 */
export function removeExpiredRuns(db: Database, input: { limit: number }): Promise<readonly string[]> {
  return db.call('remove_expired_runs', input.limit)
}
