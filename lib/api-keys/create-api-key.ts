import { invariant } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { apiKeyColumns, type ApiKey } from './api-key.ts'
import { keyDigest, keyPrefix, newKey } from './key-digest.ts'

/**
 * Creates a key of 256 random bits.
 * @returns the key, which cannot be read later, since only its digest is stored
 */
export async function createApiKey(
  db: Database,
  request: {
    readonly name: string
    readonly role: Role
    readonly createdBy: string
    /** The user whose rights limit the key; absent: no user. */
    readonly owner?: string | undefined
    readonly expiresInDays: number | undefined
  },
): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
  const key = newKey()
  const { name, role, createdBy, owner = null, expiresInDays = null } = request
  const [apiKey] = await db.sql<ApiKey[]>`
    insert into millrace.api_key (name, role, digest, prefix, created_by, owner, expires_at)
    values (${name}, ${role}, ${keyDigest(key)}, ${keyPrefix(key)}, ${createdBy}, ${owner},
      clock_timestamp() + ${expiresInDays}::int * interval '1 day')
    returning ${apiKeyColumns(db)}`
  invariant(apiKey !== undefined, 'a key is inserted')
  return { apiKey, key }
}
