import { badRequest } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { runStatuses } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'
import { partOfId } from './part-of-id.ts'
import { rowOfListedRun, toListedRun, type ListedRow } from './run-columns.ts'
import type { ListedRun } from './run-record.ts'

export interface RunFilter {
  readonly dagName?: string
  /** The integer of the API; above 6 no run has it. */
  readonly status?: number
  /** Range of the creation time of the run, both ends inclusive, in seconds since 1970. */
  readonly fromDate?: number
  readonly toDate?: number
  /** Part of a run id, matched literally; see `partOfId` for where it is looked for. */
  readonly dagRunId?: string
}

export interface RunPage {
  readonly runs: readonly ListedRun[]
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined
}

/**
 * Lists root runs, newest first. Runs created meanwhile do not shift later pages. Does not use Drizzle, whose mapping
 * of a long list takes longer than everything else.
 * @param page.cursor `next` of the previous page
 * @throws ServiceError `bad_request` when the cursor is malformed
 */
export async function listRuns(
  { sql }: Database,
  filter: RunFilter,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<RunPage> {
  const part = filter.dagRunId ?? ''
  const [filters, after, most] = [conditions(sql, filter), behind(sql, page.cursor), page.limit + 1]
  const rows = await sql<(ListedRow & { position: string })[]>`
    select ${rowOfListedRun(sql)},
      floor(date_part('epoch', created_at) * 1000000 + 0.5)::bigint || '-' || run_key as position
    from millrace.dag_run
    where parent_key is null ${filters} ${after}
      ${part === '' ? sql`` : partOfId(sql, part, { filters, behind: after, most })}
    order by created_at desc, run_key desc
    limit ${most}`
  const shown = rows.slice(0, page.limit)
  const next = rows.length > shown.length ? shown.at(-1)?.position : undefined
  return { runs: shown.map(toListedRun), next: next && Buffer.from(next).toString('base64url') }
}

function conditions(sql: Sql, { dagName, status, fromDate, toDate }: RunFilter) {
  return sql`
    ${dagName === undefined ? sql`` : sql`and dag_name = ${dagName}`}
    ${withStatus(sql, status)}
    ${fromDate === undefined ? sql`` : sql`and created_at >= to_timestamp(${fromDate})`}
    ${toDate === undefined ? sql`` : sql`and created_at <= to_timestamp(${toDate})`}`
}

/** By the status that callers see, as its integer; undefined: any. See `shownStatus`. */
export function withStatus(sql: Sql, code: number | undefined) {
  if (code === undefined) return sql``
  const status = runStatuses[code]
  const isEnqueued = sql`(queued_at is not null and attempt = 1)`
  if (status === 'queued') return sql`and (status = 'queued' or (status = 'not_started' and ${isEnqueued}))`
  if (status === 'not_started') return sql`and status = 'not_started' and not ${isEnqueued}`
  return sql`and status = ${status ?? ''}`
}

function behind(sql: Sql, cursor: string | undefined) {
  if (cursor === undefined) return sql``
  const [, micros, runKey] = /^(\d{1,17})-(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (micros === undefined || runKey === undefined) {
    throw badRequest(`cursor: must be the nextCursor of an earlier answer, got ${JSON.stringify(cursor)}`)
  }
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  return sql`and (created_at, run_key) < (${at}, ${runKey}::bigint)`
}

/**
 * All matching runs, page by page. A page is read when the previous one has been consumed; no connection is held
 * between.
 */
export async function* pagesOfRuns(
  db: Database,
  filter: RunFilter,
  cursor?: string,
): AsyncGenerator<readonly ListedRun[]> {
  for (let at = cursor; ;) {
    const { runs, next } = await listRuns(db, filter, { limit: limits.runsPerRead, cursor: at })
    yield runs
    if (next === undefined) return
    at = next
  }
}
