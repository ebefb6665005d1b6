import { and, desc, eq, gte, isNull, lte, sql, type SQL } from 'drizzle-orm'
import { badRequest } from '#lib/core/errors.ts'
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
}

export interface RunPage {
  readonly runs: readonly RunRecord[]
  /** Where the next page begins; undefined behind the last run. */
  readonly next: string | undefined
}

/** The place of a run in every list: the microsecond of its creation, and its key among those of the same. */
const position = sql<string>`(extract(epoch from ${dagRun.createdAt}) * 1000000)::bigint || '-' || ${dagRun.runKey}`

/**
 * Lists root runs, newest first; runs that are created meanwhile do not move the pages that follow.
 * @param page.cursor `next` of the page before
 * @throws ServiceError `bad_request` when the cursor is not one of ours
 */
export async function listRuns(
  db: Database,
  filter: RunFilter,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<RunPage> {
  const { dagName, status, fromDate, toDate, dagRunId } = filter
  const seconds = (at: number) => sql`to_timestamp(${at})`
  const rows = await orm(db)
    .select({ ...runColumns, position })
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
        page.cursor === undefined ? undefined : behind(page.cursor),
      ),
    )
    .orderBy(desc(dagRun.createdAt), desc(dagRun.runKey))
    .limit(page.limit + 1)
  const shown = rows.slice(0, page.limit)
  const next = rows.length > shown.length ? shown.at(-1)?.position : undefined
  return { runs: shown.map(toRunRecord), next: next && Buffer.from(next).toString('base64url') }
}

function behind(cursor: string): SQL {
  const [, micros, runKey] = /^(\d{1,17})-(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (micros === undefined || runKey === undefined) {
    throw badRequest(`cursor: must be the nextCursor of an earlier answer, got ${JSON.stringify(cursor)}`)
  }
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  return sql`(${dagRun.createdAt}, ${dagRun.runKey}) < (${at}, ${runKey}::bigint)`
}

/** All runs that fit, in pages: each is read when the one before has been taken, and holds no connection. */
export async function* pagesOfRuns(
  db: Database,
  filter: RunFilter,
  cursor?: string,
): AsyncGenerator<readonly RunRecord[]> {
  for (let at = cursor; ;) {
    const { runs, next } = await listRuns(db, filter, { limit: limits.runsPerRead, cursor: at })
    yield runs
    if (next === undefined) return
    at = next
  }
}
