import { ServiceError } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { refuseWeakPassword } from './refuse-weak-password.ts'
import { hashPassword } from './password.ts'
import { userColumns, type User } from './user.ts'

/** @throws ServiceError `already_exists`, `bad_request` for a weak password */
export async function createUser(
  db: Database,
  user: { readonly username: string; readonly role: Role; readonly password: string },
): Promise<User> {
  refuseWeakPassword(user.password, user.username)
  const hash = await hashPassword(user.password)
  const [created] = await db.sql<User[]>`
    insert into millrace.app_user (name, role, password_hash)
    values (${user.username}, ${user.role}, ${hash})
    on conflict do nothing
    returning ${userColumns(db)}`
  if (created !== undefined) return created
  throw new ServiceError('already_exists', `user ${JSON.stringify(user.username)} already exists`)
}
