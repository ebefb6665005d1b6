import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { partOfId } from './part-of-id.ts'
import { behind, pageOf, positionOf } from './run-cursor.ts'
import { rowOfListedRun, toListedRun, type ListedRow } from './run-columns.ts'
import { amongNewest, runConditions, soughtConditions, type RunFilter } from './run-filter.ts'
import type { ListedRun } from './run-record.ts'

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
  const [known, sought] = [runConditions(sql, filter), soughtConditions(sql, filter)]
  const filters = sought === undefined ? known : sql`${known} ${sought} ${amongNewest(sql, known)}`
  const [after, most] = [behind(sql, page.cursor), page.limit + 1]
  const rows = await sql<(ListedRow & { position: string })[]>`
    select ${rowOfListedRun(sql)}, ${positionOf(sql)} as position
    from millrace.dag_run
    where parent_key is null ${filters} ${after}
      ${part === '' ? sql`` : partOfId(sql, part, { filters, behind: after, most })}
    order by created_at desc, run_key desc
    limit ${most}`
  const { shown, next } = pageOf(rows, page.limit)
  return { runs: shown.map(toListedRun), next }
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
