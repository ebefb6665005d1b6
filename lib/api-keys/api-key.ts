import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The first characters of the key, so that its owner can recognize it. */
  readonly prefix: string
  readonly createdBy: string
  /** The user whose rights limit the key; null: no user. */
  readonly owner: string | null
  /** Milliseconds since 1970; null: never. */
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

/** The columns of a key that callers may see: never its digest. */
export const apiKeyColumns = ({ sql }: Database) => sql`
  id, name, role, prefix, created_by as "createdBy", owner, millrace.ms(created_at)::float8 as "createdAt",
  millrace.ms(expires_at)::float8 as "expiresAt", millrace.ms(last_used_at)::float8 as "lastUsedAt",
  millrace.ms(revoked_at)::float8 as "revokedAt"`
