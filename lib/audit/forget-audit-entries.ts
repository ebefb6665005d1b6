import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** Deletes expired entries, oldest first, at most `limit`. @returns how many */
export async function forgetAuditEntries({ sql }: Database, { limit }: { limit: number }): Promise<number> {
  const rows = await sql`
    delete from millrace.audit_entry where id in (
      select id from millrace.audit_entry
      where at < (select clock_timestamp()) - ${limits.auditDays} * interval '1 day'
      order by at limit ${limit}
    ) returning 1`
  return rows.length
}
