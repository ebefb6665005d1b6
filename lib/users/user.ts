import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'

export interface User {
  readonly username: string
  readonly role: Role
  readonly disabled: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The columns of a user that callers may see: never the password hash. */
export const userColumns = ({ sql }: Database) => sql`
  name as username, role, is_disabled as disabled,
  millrace.ms(created_at)::float8 as "createdAt", millrace.ms(updated_at)::float8 as "updatedAt"`
