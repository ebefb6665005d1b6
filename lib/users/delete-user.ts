import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/** Removes a user, and revokes the keys that the user owns. @throws ServiceError `not_found` */
export async function deleteUser(db: Database, username: string): Promise<void> {
  const rows = await db.sql`
    with gone as (
      delete from millrace.app_user where name = ${username} returning name
    ),
    revoked as (
      update millrace.api_key k set revoked_at = clock_timestamp()
      from gone where k.owner = gone.name and k.revoked_at is null
    )
    select from gone`
  if (rows.length === 0) throw notFound('user', username)
}
