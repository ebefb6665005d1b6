import type { Database } from '#lib/db/client.ts'

/** Asks a run and its children to stop. A run that was never claimed is cancelled at once. */
export async function stopRun(
  db: Database,
  input: { runKey: string },
): Promise<'stopping' | 'cancelled' | 'not_running'> {
  return await db.call('stop_run', BigInt(input.runKey))
}

/** Passes the stop of a parent on to a child; nothing happens to one that was told already. */
export async function stopChild(db: Database, input: { runKey: string }): Promise<void> {
  await db.call('stop_child', BigInt(input.runKey))
}
