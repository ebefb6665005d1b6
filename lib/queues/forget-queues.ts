import type { Database } from '#lib/db/client.ts'

/**
 * Removes queues that no setting, no DAG and no live run names any more. Does nothing while a run is being enqueued.
 * @returns the number of removed queues
 */
export function forgetQueues(db: Database, input: { limit: number }): Promise<number> {
  return db.call('remove_unused_queues', input.limit)
}
