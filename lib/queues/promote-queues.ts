import type { Database } from '#lib/db/client.ts'

/** Promotes queued runs whose queues have room. Returns their number. */
export function promoteQueues(db: Database, input: { limit: number }): Promise<number> {
  return db.call('promote_queues', input.limit)
}
