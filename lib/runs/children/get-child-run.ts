import { and, eq, isNotNull } from 'drizzle-orm'
import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { parentRun, rootRun, runColumns, toRunRecord } from '#lib/runs/read/run-columns.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'

/**
 * Finds a descendant of a root run, at any depth. Runs below another root are not found.
 * @throws ServiceError `not_found`
 */
export async function getChildRun(
  db: Database,
  path: { name: string; dagRunId: string; childDAGRunId: string },
): Promise<RunRecord> {
  const root = await getRun(db, { dagName: path.name, runId: path.dagRunId })
  const [row] = await orm(db)
    .select(runColumns)
    .from(dagRun)
    .leftJoin(rootRun, eq(rootRun.runKey, dagRun.rootKey))
    .leftJoin(parentRun, eq(parentRun.runKey, dagRun.parentKey))
    .where(
      and(eq(dagRun.rootKey, root.runKey), eq(dagRun.runId, path.childDAGRunId), isNotNull(dagRun.parentKey)),
    )
    .limit(1)
  if (row === undefined) throw notFound(`child run of ${path.name}`, path.childDAGRunId)
  return toRunRecord(row)
}
