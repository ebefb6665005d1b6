import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { statement } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { ownColumns, toRunRecord } from './run-columns.ts'
import type { RunRecord, RunRef } from './run-record.ts'

const ofDag = and(eq(dagRun.dagName, sql.placeholder('dagName')), isNull(dagRun.parentKey))

/** Without joins, because a root run is its own root and has no parent. */
const byId = statement((on) =>
  on
    .select(ownColumns)
    .from(dagRun)
    .where(and(ofDag, eq(dagRun.runId, sql.placeholder('runId'))))
    .limit(1)
    .prepare('run_by_id'),
)

const newest = statement((on) =>
  on
    .select(ownColumns)
    .from(dagRun)
    .where(ofDag)
    .orderBy(desc(dagRun.createdAt), desc(dagRun.runKey))
    .limit(1)
    .prepare('newest_run'),
)

/**
 * Finds a root run by the name of its DAG and its id; `latest` is the newest. Relies on the unique key of root runs and
 * on `dag_run_dag_idx`.
 * @throws ServiceError `not_found`
 */
export async function getRun(db: Database, { dagName, runId }: RunRef): Promise<RunRecord> {
  const [row] =
    runId === 'latest' ? await newest(db).execute({ dagName }) : await byId(db).execute({ dagName, runId })
  if (row === undefined) throw notFound(`run of ${dagName}`, runId)
  return toRunRecord(row)
}
