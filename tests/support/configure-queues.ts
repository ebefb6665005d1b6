import type { Database } from '#lib/db/client.ts'

/** Sets the custom queues and their limits. A queue that is not named falls back to the limits of its DAGs. */
export async function configureQueues(
  db: Database,
  queues: readonly { readonly name: string; readonly maxConcurrency: number }[],
): Promise<void> {
  await db.call('configure_queues', queues)
}
