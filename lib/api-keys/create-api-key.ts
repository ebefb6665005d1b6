import { randomBytes } from 'node:crypto'
import { invariant } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { apiKeyColumns, type ApiKey } from './api-key.ts'
import { keyDigest } from './key-digest.ts'

const secretBytes = 32
const prefixLength = 10

/**
 * Creates a key of 256 random bits.
 * @returns the key; it is shown only now, since only its digest is stored
 */
export async function createApiKey(
  db: Database,
  request: {
    readonly name: string
    readonly role: Role
    readonly createdBy: string
    readonly expiresInDays: number | undefined
  },
): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
  const key = `mr_${randomBytes(secretBytes).toString('base64url')}`
  const { name, role, createdBy, expiresInDays = null } = request
  const [apiKey] = await db.sql<ApiKey[]>`
    insert into millrace.api_key (name, role, digest, prefix, created_by, expires_at)
    values (${name}, ${role}, ${keyDigest(key)}, ${key.slice(0, prefixLength)}, ${createdBy},
      clock_timestamp() + ${expiresInDays}::int * interval '1 day')
    returning ${apiKeyColumns(db)}`
  invariant(apiKey !== undefined, 'a key is inserted')
  return { apiKey, key }
}
