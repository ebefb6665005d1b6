import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/**
 * Ends all sessions of a user, including those created with the user's keys.
 * @returns the number of ended sessions
 * @throws ServiceError `not_found`
 */
export async function endUserSessions({ sql }: Database, username: string): Promise<number> {
  const [row] = await sql<{ ended: number }[]>`
    with ended as (
      delete from millrace.session where user_name = ${username}
        or key_id in (select id from millrace.api_key where owner = ${username})
      returning 1
    )
    select (select count(*) from ended)::int as ended from millrace.app_user where name = ${username}`
  if (row === undefined) throw notFound('user', username)
  return row.ended
}
