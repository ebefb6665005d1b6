import type { Database } from '#lib/db/client.ts'

/** Takes a run out of its queue; it is kept as cancelled. */
export async function dequeueRun(
  db: Database,
  input: { runKey: string },
): Promise<'dequeued' | 'not_queued'> {
  const rows = await db.sql<{ result: 'dequeued' | 'not_queued' }[]>`
    select millrace.dequeue_run(${input.runKey}::bigint) as result
  `
  return rows[0]?.result ?? 'not_queued'
}
