import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/**
 * Removes a user, and revokes the keys that the user owns.
 * @returns the role that they had
 * @throws ServiceError `not_found`
 */
export async function deleteUser(db: Database, username: string): Promise<string> {
  const [row] = await db.sql<{ role: string }[]>`
    with gone as (
      delete from millrace.app_user where name = ${username} returning name, role
    ),
    revoked as (
      update millrace.api_key k set revoked_at = clock_timestamp()
      from gone where k.owner = gone.name and k.revoked_at is null
    )
    select role from gone`
  if (row === undefined) throw notFound('user', username)
  return row.role
}
