import { notFound } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/roles.ts'
import type { AuditChange } from '#lib/audit/audit-entry.ts'
import type { Database } from '#lib/db/client.ts'
import { refuseWeakPassword } from './refuse-weak-password.ts'
import { hashPassword } from './password.ts'
import { userColumns, type User } from './user.ts'

export interface UserChange {
  readonly role?: Role
  readonly password?: string
  readonly disabled?: boolean
}

/**
 * Changes the given fields. Takes effect at the user's next request.
 * @returns the user and the changed fields; a changed password without its value
 * @throws ServiceError `not_found`, `bad_request` for a weak password
 */
export async function updateUser(
  db: Database,
  username: string,
  change: UserChange,
): Promise<{ readonly user: User; readonly changes: readonly AuditChange[] }> {
  if (change.password !== undefined) refuseWeakPassword(change.password, username)
  const hash = change.password === undefined ? null : await hashPassword(change.password)
  const [found] = await db.sql<(User & { roleBefore: Role; disabledBefore: boolean })[]>`
    with before as (
      select role as "roleBefore", is_disabled as "disabledBefore" from millrace.app_user
      where name = ${username} for no key update
    )
    update millrace.app_user set
      role = coalesce(${change.role ?? null}, role),
      password_hash = coalesce(${hash}, password_hash),
      is_disabled = coalesce(${change.disabled ?? null}, is_disabled),
      updated_at = clock_timestamp()
    from before where name = ${username}
    returning ${userColumns(db)}, "roleBefore", "disabledBefore"`
  if (found === undefined) throw notFound('user', username)
  const { roleBefore, disabledBefore, ...user } = found
  const changes = [
    { field: 'role', before: roleBefore, after: user.role },
    { field: 'disabled', before: String(disabledBefore), after: String(user.disabled) },
  ].filter(({ before, after }) => before !== after)
  const password = { field: 'password', before: null, after: 'changed' }
  return { user, changes: hash === null ? changes : [...changes, password] }
}
