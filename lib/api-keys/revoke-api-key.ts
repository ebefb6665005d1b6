import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/** Revokes a key at once; it stays in the list. @returns its name. @throws ServiceError `not_found` */
export async function revokeApiKey(db: Database, id: string): Promise<string> {
  const [row] = await db.sql<{ name: string }[]>`
    update millrace.api_key set revoked_at = coalesce(revoked_at, clock_timestamp())
    where id::text = ${id.toLowerCase()} returning name`
  if (row === undefined) throw notFound('API key', id)
  return row.name
}
