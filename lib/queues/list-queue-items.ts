import { badRequest } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { rowOfListedRun, toListedRun, type ListedRow } from '#lib/runs/read/run-columns.ts'
import type { ListedRun } from '#lib/runs/read/run-record.ts'

export interface QueueItem {
  readonly run: ListedRun
  /** 1 for the run that is promoted next; undefined for a run that occupies the queue. */
  readonly position: number | undefined
  /** Time from enqueueing to the start, or to now, milliseconds; undefined for a run that was not enqueued. */
  readonly waitedMs: number | undefined
  readonly priority: number
}

export interface QueueItems {
  readonly items: readonly QueueItem[]
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined
}

interface Page {
  /** `running`: runs that occupy the queue, oldest first; `queued`: waiting runs, in the order of promotion. */
  readonly state: 'running' | 'queued'
  readonly limit: number
  /** `next` of the previous page. */
  readonly cursor: string | undefined
}

type Row = ListedRow & {
  readonly priority: number
  readonly waitedMs: number | null
  readonly ahead: number
}

/**
 * The runs of a queue, page by page. Relies on `dag_run_queued_idx` and `dag_run_active_idx`.
 * @throws ServiceError `bad_request` when the cursor is malformed
 */
export async function listQueueItems({ sql }: Database, name: string, page: Page): Promise<QueueItems> {
  const { state, limit, cursor } = page
  const after = readCursor(cursor)
  const isQueued = state === 'queued'
  const inOrder = isQueued ? sql`priority desc, run_key` : sql`run_key`
  const afterCursor = isQueued
    ? sql`priority <= ${after.priority}::int
      and (priority < ${after.priority}::int or run_key > ${after.runKey}::bigint)`
    : sql`run_key > ${after.runKey}::bigint`
  const inState = isQueued ? sql`status = 'queued'` : sql`status in ('not_started', 'running')`
  const ahead = sql`(
    select count(*)::int from millrace.dag_run
    where queue = ${name} and status = 'queued' and not (${afterCursor})
  )`
  const rows = await sql<Row[]>`
    select ${rowOfListedRun(sql)}, priority,
      (extract(epoch from coalesce(started_at, clock_timestamp()) - queued_at) * 1000)::float8 as "waitedMs",
      ${isQueued && cursor !== undefined ? ahead : sql`0`} as ahead
    from millrace.dag_run
    where queue = ${name} and ${inState} ${cursor === undefined ? sql`` : sql`and ${afterCursor}`}
    order by ${inOrder}
    limit ${limit + 1}`
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    items: shown.map((row, index) => ({
      run: toListedRun(row),
      position: isQueued ? row.ahead + index + 1 : undefined,
      waitedMs: row.waitedMs === null ? undefined : Math.max(0, Math.floor(row.waitedMs)),
      priority: row.priority,
    })),
    next: last && Buffer.from(`${last.priority}.${last.runKey}`).toString('base64url'),
  }
}

function readCursor(cursor: string | undefined): { readonly priority: number; readonly runKey: string } {
  if (cursor === undefined) return { priority: 0, runKey: '0' }
  const [, priority, runKey] =
    /^(-?\d{1,9})\.(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (priority === undefined || runKey === undefined) {
    throw badRequest(`cursor: must be the nextCursor of an earlier answer, got ${JSON.stringify(cursor)}`)
  }
  return { priority: Number(priority), runKey }
}
