import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { summarizeQueues, type QueueFacts } from './summarize-queues.ts'

/** @throws ServiceError `not_found` when no setting, no DAG and no live run names such a queue, and nobody paused it */
export async function getQueue(db: Database, name: string): Promise<QueueFacts> {
  const [queue] = await summarizeQueues(db, { name, countsStarts: true })
  if (queue === undefined) throw notFound('queue', name)
  return queue
}
