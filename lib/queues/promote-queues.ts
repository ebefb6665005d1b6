import type { Database } from '#lib/db/client.ts'

/** Promotes queued runs where their queues have room. @returns how many */
export function promoteQueues(db: Database, input: { limit: number }): Promise<number> {
  return db.call('promote_queues', input.limit)
}
