import { notFound } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/roles.ts'
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
 * Changes the given fields, with effect from the next call of the user.
 * @throws ServiceError `not_found`, `bad_request` for a weak password
 */
export async function updateUser(db: Database, username: string, change: UserChange): Promise<User> {
  if (change.password !== undefined) refuseWeakPassword(change.password, username)
  const hash = change.password === undefined ? null : await hashPassword(change.password)
  const [user] = await db.sql<User[]>`
    update millrace.app_user set
      role = coalesce(${change.role ?? null}, role),
      password_hash = coalesce(${hash}, password_hash),
      is_disabled = coalesce(${change.disabled ?? null}, is_disabled),
      updated_at = clock_timestamp()
    where name = ${username}
    returning ${userColumns(db)}`
  if (user === undefined) throw notFound('user', username)
  return user
}
