import type { Database } from '#lib/db/client.ts'

/**
 * Removes the oldest ended runs of DAGs that have more than `histRetentionRuns`, each with all of its descendants.
 * @param input.limit maximum number of root runs per DAG
 * @returns the keys of all removed runs; the caller must remove their logs
 */
export function removeSurplusRuns(db: Database, input: { limit: number }): Promise<readonly string[]> {
  return db.call('trim_history', input.limit)
}
