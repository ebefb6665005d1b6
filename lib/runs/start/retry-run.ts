import type { Database } from '#lib/db/client.ts'

/**
 * Starts a new attempt of a run that has ended.
 * @param input.expectedAttempt the attempt that the caller read; of two concurrent retries, only one succeeds
 * @param input.dropSteps names of the steps to run again
 * @param input.retryKey idempotency key: a second call with it changes nothing and returns the result of the first
 * @returns `gone` when the run was removed
 */
export async function retryRun(
  db: Database,
  input: { runKey: string; expectedAttempt: number; dropSteps: readonly string[]; retryKey?: string },
): Promise<'retried' | 'running' | 'gone'> {
  const { runKey, expectedAttempt, dropSteps, retryKey = null } = input
  return await db.call('retry_run', BigInt(runKey), expectedAttempt, dropSteps, retryKey)
}
