import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { newestRuns } from './newest-runs.ts'
import { ownColumns, toRunRecord } from './run-columns.ts'
import type { RunRecord } from './run-record.ts'

/** The run that the page of a DAG shows: its newest running one, otherwise its newest (spec/behaviour.md 1.4). */
export async function currentRun(db: Database, dagName: string): Promise<RunRecord | undefined> {
  const [running] = await orm(db)
    .select(ownColumns)
    .from(dagRun)
    .where(and(eq(dagRun.dagName, dagName), isNull(dagRun.parentKey), sql`${dagRun.status} = 'running'`))
    .orderBy(desc(dagRun.createdAt), desc(dagRun.runKey))
    .limit(1)
  if (running !== undefined) return toRunRecord(running)
  const [newest] = await newestRuns(db, { dagName }, 1)
  return newest
}
