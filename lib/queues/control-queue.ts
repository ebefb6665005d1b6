import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/** What changes; what is not named stays. */
export interface QueueChange {
  /** Nothing of a paused queue begins. Runs that have begun continue, and started ones pass it by. */
  readonly paused?: boolean | undefined
  /** Runs that may be active at once; null: the limit of the settings, or else of the DAGs. */
  readonly limit?: number | null | undefined
}

/**
 * Pauses, resumes or limits a queue, and promotes what may begin now.
 * @param by who does it; empty when that is not known
 * @throws ServiceError `not_found` when no setting, no DAG and no live run names such a queue
 */
export async function controlQueue(
  db: Database,
  name: string,
  { by, ...change }: QueueChange & { readonly by: string },
): Promise<void> {
  if (!(await db.call<boolean>('control_queue', name, change, by))) throw notFound('queue', name)
  // By a statement of its own, because it locks several queues in order. What a crash leaves undone, the tick does.
  await db.sql`select millrace.promote_in_queues(array[${name}])`
}
