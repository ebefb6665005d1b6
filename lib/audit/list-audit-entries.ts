import type { Database } from '#lib/db/client.ts'
import type { StoredAuditEntry } from './audit-entry.ts'

/** Absent fields match everything. `target` matches a substring; times are seconds since 1970. */
export interface AuditFilter {
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly from?: number
  readonly to?: number
}

/**
 * Lists entries, newest first.
 * @param before lists only entries older than this id; ids increase
 */
export async function listAuditEntries(
  { sql }: Database,
  {
    limit,
    before = null,
    ...filter
  }: AuditFilter & { readonly limit: number; readonly before?: string | null },
): Promise<StoredAuditEntry[]> {
  const { actor = null, action = null, target = null, from = null, to = null } = filter
  return await sql`
    select id::text as id, millrace.ms(at)::float8 as at, actor, role, action, target, address, count,
      request_id as "requestId", status, changes
    from millrace.audit_entry e
    where (${before}::bigint is null or e.id < ${before}::bigint)
      and (${actor}::text is null or e.actor in (${actor}, 'key ' || ${actor}))
      and (${action}::text is null or e.action = ${action})
      and (${target}::text is null or strpos(lower(e.target), lower(${target})) > 0)
      and (${from}::float8 is null or e.at >= to_timestamp(${from}::float8))
      and (${to}::float8 is null or e.at < to_timestamp(${to}::float8))
    order by e.id desc limit ${limit}`
}
