import type { Database } from '#lib/db/client.ts'
import type { AuditEntry } from './audit-entry.ts'

/** Writes down who changed what: one statement at a time, and what arrives meanwhile goes with the next. */
export interface AuditLog {
  /** Resolves when the entry is stored. Rejects when it cannot be. */
  readonly add: (entry: AuditEntry) => Promise<void>
}

export function createAuditLog(db: Database): AuditLog {
  let waiting: AuditEntry[] = []
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  const write = (): Promise<void> => {
    const entries = waiting
    waiting = []
    next = undefined
    current = store(db, entries)
    return current
  }
  return {
    add: (entry) => {
      waiting.push({ ...entry, target: storable(entry.target) })
      next ??= current.then(write, write)
      return next
    },
  }
}

/** A caller chooses the target; one that Postgres cannot hold would take all entries of its statement with it. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

async function store({ sql }: Database, entries: readonly AuditEntry[]): Promise<void> {
  await sql`
    insert into millrace.audit_entry (actor, role, action, target, request_id, status)
    select e.actor, e.role, e.action, e.target, e."requestId", e.status
    from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb)
      as e (actor text, role text, action text, target text, "requestId" text, status int)`
}
