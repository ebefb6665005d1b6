import type { Database } from '#lib/db/client.ts'

/**
 * Starts a new attempt of a run that has ended.
 * @param input.expectedAttempt the attempt that the caller saw; of two concurrent retries, only one succeeds
 * @param input.dropSteps names of the steps to run again
 * @param input.retryKey idempotency key: a second call with it changes nothing and gets the answer of the first
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
