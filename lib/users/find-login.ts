import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'

export interface Login {
  readonly role: Role
  readonly passwordHash: string
}

/** The role and password hash of a user; undefined when the user does not exist or is disabled. */
export async function findLogin(db: Database, username: string): Promise<Login | undefined> {
  const [login] = await db.sql<Login[]>`
    select role, password_hash as "passwordHash" from millrace.app_user
    where name = ${username} and not is_disabled`
  return login
}

/** {@link findLogin} for several users, by name. */
export async function findLogins(db: Database, usernames: readonly string[]): Promise<Map<string, Login>> {
  if (usernames.length === 0) return new Map()
  const rows = await db.sql<(Login & { name: string })[]>`
    select name, role, password_hash as "passwordHash" from millrace.app_user
    where name in ${db.sql(usernames)} and not is_disabled`
  return new Map(rows.map(({ name, ...login }) => [name, login]))
}
