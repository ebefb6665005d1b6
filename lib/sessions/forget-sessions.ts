import type { Database } from '#lib/db/client.ts'

/** Deletes expired sessions, oldest first, at most `limit`. Returns their number. */
export async function forgetSessions({ sql }: Database, { limit }: { limit: number }): Promise<number> {
  const rows = await sql`
    delete from millrace.session where id in (
      select id from millrace.session
      where expires_at < (select clock_timestamp())
      order by expires_at limit ${limit} for update skip locked
    ) returning 1`
  return rows.length
}
