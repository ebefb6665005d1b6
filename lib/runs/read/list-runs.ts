import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { partOfId } from './part-of-id.ts'
import { afterCursor, pageOf, positionOf } from './run-cursor.ts'
import { rowOfListedRun, toListedRun, type ListedRow } from './run-columns.ts'
import { amongNewest, runConditions, unindexedConditions, type RunFilter } from './run-filter.ts'
import type { ListedRun } from './run-record.ts'

export interface RunPage {
  readonly runs: readonly ListedRun[]
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined
}

/**
 * Lists root runs, newest first. Runs created meanwhile do not shift later pages. Does not use Drizzle, because mapping
 * a long list would dominate the time.
 * @param page.cursor `next` of the previous page
 * @throws ServiceError `bad_request` when the cursor is malformed
 */
export async function listRuns(
  { sql }: Database,
  filter: RunFilter,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<RunPage> {
  const part = filter.dagRunId ?? ''
  const [known, sought] = [runConditions(sql, filter), unindexedConditions(sql, filter)]
  const filters = sought === undefined ? known : sql`${known} ${sought} ${amongNewest(sql, known)}`
  const [after, rowLimit] = [afterCursor(sql, page.cursor), page.limit + 1]
  const rows = await sql<(ListedRow & { position: string })[]>`
    select ${rowOfListedRun(sql)}, ${positionOf(sql)} as position
    from millrace.dag_run
    where parent_key is null ${filters} ${after}
      ${part === '' ? sql`` : partOfId(sql, part, { filters, after, limit: rowLimit })}
    order by created_at desc, run_key desc
    limit ${rowLimit}`
  const { shown, next } = pageOf(rows, page.limit)
  return { runs: shown.map(toListedRun), next }
}

/**
 * All matching runs, page by page. Each page is read when the previous one has been consumed; no connection is held in
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
