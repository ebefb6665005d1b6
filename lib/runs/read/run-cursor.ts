import { badRequest } from '#lib/core/errors.ts'
import type { Sql } from '#lib/db/statement.ts'

/** Where a run is in lists of root runs, newest first, as a text that a cursor is made of. */
export const positionOf = (sql: Sql) => sql`
  floor(date_part('epoch', created_at) * 1000000 + 0.5)::bigint || '-' || run_key`

/** The page of the rows that were read, one more than it shows, and the cursor of the next. */
export function pageOf<Row extends { readonly position: string }>(
  rows: readonly Row[],
  limit: number,
): { readonly shown: readonly Row[]; readonly next: string | undefined } {
  const shown = rows.slice(0, limit)
  const next = rows.length > shown.length ? shown.at(-1)?.position : undefined
  return { shown, next: next && Buffer.from(next).toString('base64url') }
}

/**
 * The condition, after an `and`, that a run comes after a cursor.
 * @throws ServiceError `bad_request` when the cursor is malformed
 */
export function behind(sql: Sql, cursor: string | undefined) {
  if (cursor === undefined) return sql``
  const [, micros, runKey] = /^(\d{1,17})-(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (micros === undefined || runKey === undefined) {
    throw badRequest(`cursor: must be the nextCursor of an earlier answer, got ${JSON.stringify(cursor)}`)
  }
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  return sql`and (created_at, run_key) < (${at}, ${runKey}::bigint)`
}
