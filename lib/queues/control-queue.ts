import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/** Changes of a queue. Absent fields stay as they are. */
export interface QueueChange {
  /**
   * A paused queue promotes no runs. Active runs continue, and runs that were started (not enqueued) bypass the queue.
   */
  readonly paused?: boolean | undefined
  /** Maximum number of active runs; null: that of the settings, or else of the DAGs. */
  readonly limit?: number | null | undefined
}

/**
 * Pauses, resumes or limits a queue, and promotes the runs that may start now.
 * @param by the actor; empty if unknown
 * @throws ServiceError `not_found` when no setting, no DAG and no live run names such a queue
 */
export async function controlQueue(
  db: Database,
  name: string,
  { by, ...change }: QueueChange & { readonly by: string },
): Promise<void> {
  if (!(await db.call<boolean>('control_queue', name, change, by))) throw notFound('queue', name)
  // A separate statement, because it locks several queues in order. After a crash in between, the tick does this.
  await db.sql`select millrace.promote_in_queues(array[${name}])`
}
