import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/** Revokes a key at once; it stays in the list. @throws ServiceError `not_found` */
export async function revokeApiKey(db: Database, id: string): Promise<void> {
  const rows = await db.sql`
    update millrace.api_key set revoked_at = coalesce(revoked_at, clock_timestamp())
    where id::text = ${id.toLowerCase()} returning 1`
  if (rows.length === 0) throw notFound('API key', id)
}
