import type { Database } from '#lib/db/client.ts'
import { shareStatement } from '#lib/db/share-statement.ts'

/** A refused credential. Failures with the same subject share one entry, which counts them. */
export interface LoginFailure {
  readonly subject: string
  /** The user name that was tried, or the public prefix of a key. */
  readonly actor: string
  readonly address: string
  readonly kind: 'password' | 'key'
}

const store = shareStatement<LoginFailure, void>(
  async ({ sql }, failures) => {
    const counts = new Map<string, LoginFailure & { count: number }>()
    for (const failure of failures) {
      const known = counts.get(failure.subject)
      if (known === undefined) counts.set(failure.subject, { ...failure, count: 1 })
      else known.count += 1
    }
    // Sorted by subject, so that two instances cannot deadlock.
    await sql`
      insert into millrace.audit_entry as a
        (actor, role, action, target, address, request_id, status, count, subject)
      select f.actor, 'none', 'login', f.kind, f.address, '', 401, f.count, f.subject
      from jsonb_to_recordset(${JSON.stringify([...counts.values()])}::text::jsonb)
        as f (actor text, kind text, address text, count int, subject text)
      order by f.subject
      on conflict (subject) where subject is not null do update set count = a.count + excluded.count`
    return []
  },
  { batchMax: 1_000 },
)

/** Records a refused credential. Resolves when it is stored, rejects when it cannot be. */
export function addLoginFailure(db: Database, failure: LoginFailure): Promise<void> {
  return store(db, failure)
}
