import { and, desc, eq, gte, isNull, lte, sql } from 'drizzle-orm'
import { limits } from '#lib/core/limits.ts'
import { runStatuses } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dagRun } from '#lib/db/schema.ts'
import { parentRun, rootRun, runColumns, toRunRecord } from './run-columns.ts'
import type { RunRecord } from './run-record.ts'

export interface RunFilter {
  readonly dagName?: string
  /** The integer of the API, 0 to 6. */
  readonly status?: number
  /** Seconds since 1970, of the creation of the run; both ends belong to the span. */
  readonly fromDate?: number
  readonly toDate?: number
  /** A part of the run id, taken literally. */
  readonly dagRunId?: string
  readonly limit?: number
}

/** Lists root runs, newest first. */
export async function listRuns(db: Database, filter: RunFilter): Promise<RunRecord[]> {
  const { dagName, status, fromDate, toDate, dagRunId, limit = limits.runsListedMax } = filter
  const seconds = (at: number) => sql`to_timestamp(${at})`
  const rows = await orm(db)
    .select(runColumns)
    .from(dagRun)
    .leftJoin(rootRun, eq(rootRun.runKey, dagRun.rootKey))
    .leftJoin(parentRun, eq(parentRun.runKey, dagRun.parentKey))
    .where(
      and(
        isNull(dagRun.parentKey),
        dagName === undefined ? undefined : eq(dagRun.dagName, dagName),
        status === undefined ? undefined : eq(dagRun.status, runStatuses[status] ?? ''),
        fromDate === undefined ? undefined : gte(dagRun.createdAt, seconds(fromDate)),
        toDate === undefined ? undefined : lte(dagRun.createdAt, seconds(toDate)),
        dagRunId === undefined ? undefined : sql`position(${dagRunId} in ${dagRun.runId}) > 0`,
      ),
    )
    .orderBy(desc(dagRun.createdAt), desc(dagRun.runKey))
    .limit(limit)
  return rows.map(toRunRecord)
}
