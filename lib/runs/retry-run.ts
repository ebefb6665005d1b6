import type { Database } from '#lib/db/client.ts'

/**
 * Begins a new attempt of a run that has ended.
 * @param input.expectedAttempt the attempt that the caller looked at: of two callers one wins
 * @param input.dropSteps names of the steps that run again
 * @param input.retryKey a second call with the same key changes nothing, and is answered as the first
 */
export async function retryRun(
  db: Database,
  input: { runKey: string; expectedAttempt: number; dropSteps: readonly string[]; retryKey?: string },
): Promise<'retried' | 'running'> {
  const { runKey, expectedAttempt, dropSteps, retryKey = null } = input
  const rows = await db.sql<{ result: 'retried' | 'running' }[]>`
    select millrace.retry_run(
      ${runKey}::bigint, ${expectedAttempt}::int, ${JSON.stringify(dropSteps)}::text::jsonb,
      ${retryKey}::text
    ) as result
  `
  return rows[0]?.result ?? 'running'
}
