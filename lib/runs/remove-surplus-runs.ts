import type { Database } from '#lib/db/client.ts'

/**
 * Removes the oldest runs of DAGs that have more than their `histRetentionRuns`, each with all its child runs, once
 * they have ended.
 * @param input.limit of root runs of a DAG
 * @returns the keys of all removed runs; their logs are the caller's to remove
 */
export function removeSurplusRuns(db: Database, input: { limit: number }): Promise<readonly string[]> {
  return db.call('remove_surplus_runs', input.limit)
}
