import { and, desc, eq, isNull } from 'drizzle-orm'
import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { parentRun, rootRun, runColumns, toRunRecord } from './run-columns.ts'
import type { RunRecord, RunRef } from './run-record.ts'

/**
 * Finds a root run by the name of its DAG and its id; `latest` is the newest. Relies on the unique key of root runs and
 * on `dag_run_dag_idx`.
 * @throws ServiceError `not_found`
 */
export async function getRun(db: Database, ref: RunRef): Promise<RunRecord> {
  const byName = and(eq(dagRun.dagName, ref.dagName), isNull(dagRun.parentKey))
  const query = orm(db)
    .select(runColumns)
    .from(dagRun)
    .leftJoin(rootRun, eq(rootRun.runKey, dagRun.rootKey))
    .leftJoin(parentRun, eq(parentRun.runKey, dagRun.parentKey))
    .limit(1)
  const [row] =
    ref.runId === 'latest'
      ? await query.where(byName).orderBy(desc(dagRun.createdAt), desc(dagRun.runKey))
      : await query.where(and(byName, eq(dagRun.runId, ref.runId)))
  if (row === undefined) throw notFound(`run of ${ref.dagName}`, ref.runId)
  return toRunRecord(row)
}
