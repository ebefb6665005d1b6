import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** Deletes records of missed times past their retention, oldest first, at most `limit`. Returns their number. */
export async function forgetMissedTimes({ sql }: Database, { limit }: { limit: number }): Promise<number> {
  const rows = await sql`
    delete from millrace.missed_times where ctid in (
      select ctid from millrace.missed_times
      where until_at < (select clock_timestamp()) - ${limits.missedTimesDays} * interval '1 day'
      order by until_at limit ${limit}
    ) returning 1`
  return rows.length
}
