import { badRequest } from '#lib/core/errors.ts'
import type { Sql } from '#lib/db/statement.ts'

/** SQL for the position of a run in lists of root runs, newest first: the text that a cursor encodes. */
export const positionOf = (sql: Sql) => sql`
  floor(date_part('epoch', created_at) * 1000000 + 0.5)::bigint || '-' || run_key`

/** Cuts rows to a page, and makes the cursor of the next page. Pass one row more than `limit` if there is one. */
export function pageOf<Row extends { readonly position: string }>(
  rows: readonly Row[],
  limit: number,
): { readonly shown: readonly Row[]; readonly next: string | undefined } {
  const shown = rows.slice(0, limit)
  const next = rows.length > shown.length ? shown.at(-1)?.position : undefined
  return { shown, next: next && Buffer.from(next).toString('base64url') }
}

/**
 * The condition that a run comes after a cursor, preceded by `and`; empty without a cursor.
 * @throws ServiceError `bad_request` when the cursor is malformed
 */
export function afterCursor(sql: Sql, cursor: string | undefined) {
  if (cursor === undefined) return sql``
  const [, micros, runKey] = /^(\d{1,17})-(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (micros === undefined || runKey === undefined) {
    throw badRequest(`cursor: must be the nextCursor of an earlier answer, got ${JSON.stringify(cursor)}`)
  }
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  return sql`and (created_at, run_key) < (${at}, ${runKey}::bigint)`
}
