import type { Database } from '#lib/db/client.ts'

/**
 * Sets the custom queues and their limits to those of the settings. A queue that is no longer named falls back to the
 * limits of its DAGs. Active runs are left alone.
 */
export async function configureQueues(
  db: Database,
  queues: readonly { readonly name: string; readonly maxConcurrency: number }[],
): Promise<void> {
  await db.call('configure_queues', queues)
}
