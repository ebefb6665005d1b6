import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { stopRun } from './stop-run.ts'

/**
 * Stops all active runs of a DAG; queued runs stay queued. Does not wait for their end.
 * @returns one sentence per run that could not be stopped
 */
export async function stopAllRuns(db: Database, dagName: string): Promise<string[]> {
  const rows = await orm(db)
    .select({ runKey: sql<string>`${dagRun.runKey}::text`, runId: dagRun.runId })
    .from(dagRun)
    .where(
      and(
        eq(dagRun.dagName, dagName),
        isNull(dagRun.parentKey),
        inArray(dagRun.status, ['not_started', 'running']),
      ),
    )
  const errors: string[] = []
  for (const { runKey, runId } of rows) {
    await stopRun(db, { runKey }).catch(() => errors.push(`run ${runId} of ${dagName} could not be stopped`))
  }
  return errors
}
