import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { keyDigest } from './key-digest.ts'

/**
 * Finds an API key; undefined when it is unknown, expired or revoked. One indexed read; the time of the last use is
 * written once a minute at most.
 */
export async function findKey(
  db: Database,
  key: string,
): Promise<{ readonly name: string; readonly role: Role } | undefined> {
  const [found] = await db.sql<{ id: string; name: string; role: Role; isStale: boolean }[]>`
    select id, name, role,
      coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) as "isStale"
    from millrace.api_key
    where digest = ${keyDigest(key)} and revoked_at is null
      and coalesce(expires_at > clock_timestamp(), true)`
  if (found?.isStale) {
    await db.sql`update millrace.api_key set last_used_at = clock_timestamp() where id = ${found.id}`
  }
  return found
}
