import { lesserRole, type Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { shareStatement } from '#lib/db/share-statement.ts'
import { isKey, keyDigest } from './key-digest.ts'

/** A key that is neither revoked nor expired, and whose owner still exists and is enabled. */
export interface KeyInForce {
  readonly id: string
  readonly name: string
  /** Never higher than the owner's current role. */
  readonly role: Role
  /** The user who made the key; undefined: made with a credential of the settings, or directly in the database. */
  readonly owner: string | undefined
}

interface Row {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly owner: string | null
  readonly ownerRole: Role | null
}

/** A user who was removed and created again under the same name does not own the earlier keys. */
const inForce = ({ sql }: Database) => sql`
  from millrace.api_key k
  left join millrace.app_user u on u.name = k.owner and not u.is_disabled and u.created_at <= k.created_at
  where k.revoked_at is null and coalesce(k.expires_at > clock_timestamp(), true)
    and (k.owner is null or u.name is not null)`

const columns = ({ sql }: Database) => sql`k.id::text as id, k.name, k.role, k.owner, u.role as "ownerRole"`

const toKey = ({ id, name, role, owner, ownerRole }: Row): KeyInForce => ({
  id,
  name,
  role: ownerRole === null ? role : lesserRole(role, ownerRole),
  owner: owner ?? undefined,
})

/** Concurrent calls share a statement, so that a flood of wrong keys occupies only one connection. */
const find = shareStatement<string, (Row & { readonly isStale: boolean }) | undefined>(
  async (db, digests) => {
    const rows = await db.sql<(Row & { digest: string; isStale: boolean })[]>`
      select encode(k.digest, 'hex') as digest, ${columns(db)},
        coalesce(k.last_used_at < clock_timestamp() - interval '1 minute', true) as "isStale"
      ${inForce(db)}
        and k.digest = any (array(
          select decode(d, 'hex') from jsonb_array_elements_text(${JSON.stringify(digests)}::text::jsonb) as d))`
    const byDigest = new Map(rows.map((row) => [row.digest, row]))
    return digests.map((digest) => byDigest.get(digest))
  },
  { batchMax: 200 },
)

/**
 * Finds an API key; undefined when it is unknown or not in force. One indexed read; `last_used_at` is written at most
 * once a minute.
 */
export async function findKey(db: Database, key: string): Promise<KeyInForce | undefined> {
  if (!isKey(key)) return undefined
  const found = await find(db, keyDigest(key).toString('hex'))
  if (found === undefined) return undefined
  if (found.isStale) {
    await db.sql`update millrace.api_key set last_used_at = clock_timestamp() where id = ${found.id}::uuid`
  }
  return toKey(found)
}

/** A query for keys in force; callers may append conditions on `k`. */
export const keysInForce = (db: Database) => db.sql`select ${columns(db)} ${inForce(db)}`

/** The keys with these ids that are in force. */
export async function findKeysInForce(db: Database, ids: readonly string[]): Promise<KeyInForce[]> {
  if (ids.length === 0) return []
  const rows = await db.sql<Row[]>`${keysInForce(db)} and k.id::text in ${db.sql(ids)}`
  return rows.map(toKey)
}
