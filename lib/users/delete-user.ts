import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/** @throws ServiceError `not_found` */
export async function deleteUser(db: Database, username: string): Promise<void> {
  const rows = await db.sql`delete from millrace.app_user where name = ${username} returning 1`
  if (rows.length === 0) throw notFound('user', username)
}
