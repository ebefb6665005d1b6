import type { Database } from '#lib/db/client.ts'

/** Moves queued runs on where their queues have room; answers how many. */
export function promoteQueues(db: Database, input: { limit: number }): Promise<number> {
  return db.call('promote_queues', input.limit)
}
