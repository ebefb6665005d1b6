import type { Database } from '#lib/db/client.ts'

/** Asks a run and its children to stop. A run that was never claimed is cancelled at once. */
export async function stopRun(
  db: Database,
  input: { runKey: string },
): Promise<'stopping' | 'cancelled' | 'not_running'> {
  const rows = await db.sql<{ result: 'stopping' | 'cancelled' | 'not_running' }[]>`
    select millrace.stop_run(${input.runKey}::bigint) as result
  `
  return rows[0]?.result ?? 'not_running'
}
