import type { Database } from '#lib/db/client.ts'
import { afterCursor, pageOf, positionOf } from './run-cursor.ts'
import { rowOfRun, toRunRecord, type RunRow } from './run-columns.ts'
import { withStatus } from './run-filter.ts'
import type { RunRecord } from './run-record.ts'

export interface NewestFilter {
  readonly dagName: string
  /** The integer of the API, 0 to 6; undefined: any. */
  readonly status?: number
}

/**
 * The newest root runs of a DAG, newest first, optionally of one status, and the cursor of the next page.
 * @throws ServiceError `bad_request` when the cursor is malformed
 */
export async function newestRuns(
  { sql }: Database,
  { dagName, status }: NewestFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly runs: readonly RunRecord[]; readonly next: string | undefined }> {
  const rows = await sql<(RunRow & { position: string })[]>`
    select ${rowOfRun(sql)}, ${positionOf(sql)} as position
    from millrace.dag_run
    where dag_name = ${dagName} and parent_key is null
      ${withStatus(sql, status === undefined ? undefined : [status])} ${afterCursor(sql, cursor)}
    order by created_at desc, run_key desc
    limit ${limit + 1}`
  const { shown, next } = pageOf(rows, limit)
  return { runs: shown.map(toRunRecord), next }
}
