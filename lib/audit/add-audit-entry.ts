import type { Database } from '#lib/db/client.ts'
import { shareStatement } from '#lib/db/share-statement.ts'
import type { AuditEntry } from './audit-entry.ts'

const store = shareStatement<AuditEntry, void>(
  async ({ sql }, entries) => {
    await sql`
      insert into millrace.audit_entry (actor, role, action, target, address, request_id, status, changes)
      select e.actor, e.role, e.action, e.target, e.address, e."requestId", e.status, e.changes
      from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb)
        as e (actor text, role text, action text, target text, address text, "requestId" text, status int,
          changes jsonb)`
    return []
  },
  { batchMax: 1_000 },
)

/** Records who changed what. Resolves when the entry is stored, rejects when it cannot be. */
export function addAuditEntry(db: Database, entry: AuditEntry): Promise<void> {
  // The caller chooses the target, and Postgres rejects NUL and unpaired surrogates.
  return store(db, { ...entry, target: entry.target.toWellFormed().replaceAll('\0', '\ufffd') })
}
