import type { Database } from '#lib/db/client.ts'
import type { StoredAuditEntry } from './audit-entry.ts'

/** @param before lists only entries older than this id; ids increase */
export async function listAuditEntries(
  { sql }: Database,
  { limit, before = null }: { readonly limit: number; readonly before?: string | null },
): Promise<StoredAuditEntry[]> {
  return await sql`
    select id::text as id, millrace.ms(at)::float8 as at, actor, role, action, target, address, count,
      request_id as "requestId", status
    from millrace.audit_entry e
    where ${before}::bigint is null or e.id < ${before}::bigint
    order by e.id desc limit ${limit}`
}
