import { timingSafeEqual } from 'node:crypto'
import { keysInForce } from '#lib/api-keys/find-key.ts'
import { limits } from '#lib/core/limits.ts'
import { lesserRole, type Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { shareStatement } from '#lib/db/share-statement.ts'
import { isToken, sealOf, tokenDigest } from './session-token.ts'

/** A session that has not expired, and whose user or key is still valid. */
export interface Session {
  readonly id: string
  /** The current role of its user or key. */
  readonly role: Role
  /** The user who signed in, or who owns the key. */
  readonly user: string | undefined
  readonly passwordHash: string | undefined
  readonly keyName: string | undefined
  readonly setting: 'basic' | 'token' | undefined
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

interface Row {
  readonly id: string
  readonly digest: string
  readonly seal: Buffer
  readonly setting: 'basic' | 'token' | null
  readonly userName: string | null
  readonly userRole: Role | null
  readonly passwordHash: string | null
  readonly keyName: string | null
  readonly keyRole: Role | null
  readonly keyOwner: string | null
  readonly keyOwnerRole: Role | null
  readonly expiresAt: number
  readonly isStale: boolean
}

const inForce = (db: Database) => db.sql`
  select s.id::text, encode(s.digest, 'hex') as digest, s.seal, s.setting, u.name as "userName", u.role as "userRole",
    u.password_hash as "passwordHash", k.name as "keyName", k.role as "keyRole", k.owner as "keyOwner",
    k."ownerRole" as "keyOwnerRole", millrace.ms(s.expires_at)::float8 as "expiresAt",
    s.seen_at < clock_timestamp() - ${limits.sessionSeenEveryMs} * interval '1 ms' as "isStale"
  from millrace.session s
  left join millrace.app_user u on u.name = s.user_name and not u.is_disabled
  left join lateral (${keysInForce(db)} and k.id = s.key_id) k on true
  where s.expires_at > clock_timestamp() and (s.setting is not null or u.name is not null or k.id is not null)`

/** Concurrent calls share a statement, so that a flood of wrong tokens occupies only one connection. */
const find = shareStatement<string, Row | undefined>(
  async (db, digests) => {
    const rows = await db.sql<Row[]>`
      ${inForce(db)} and s.digest = any (array(
        select decode(d, 'hex') from jsonb_array_elements_text(${JSON.stringify(digests)}::text::jsonb) as d))`
    const byDigest = new Map(rows.map((row) => [row.digest, row]))
    return digests.map((digest) => byDigest.get(digest))
  },
  { batchMax: 200 },
)

/**
 * Finds the session of a token; undefined when it has ended, or when its credential has changed. One indexed read.
 * Extends the session at most once in five minutes.
 * @param credentialOf returns the current credential of a setting
 */
export async function findSession(
  db: Database,
  token: string,
  credentialOf: (setting: 'basic' | 'token') => string | undefined,
): Promise<Session | undefined> {
  if (!isToken(token)) return undefined
  const row = await find(db, tokenDigest(token).toString('hex'))
  if (row === undefined) return undefined
  const credential =
    row.keyName !== null ? '' : row.setting === null ? row.passwordHash : credentialOf(row.setting)
  if (credential == null || !timingSafeEqual(row.seal, sealOf(token, credential))) return undefined
  return { ...toSession(row), ...(row.isStale && (await extend(db, row.id))) }
}

/** Returns those of the sessions that are still valid. */
export async function findSessionsInForce(db: Database, ids: readonly string[]): Promise<Session[]> {
  if (ids.length === 0) return []
  return (await db.sql<Row[]>`${inForce(db)} and s.id::text in ${db.sql(ids)}`).map(toSession)
}

/** Extends a session; does nothing if it has ended meanwhile. */
async function extend({ sql }: Database, id: string): Promise<{ readonly expiresAt: number } | undefined> {
  const [row] = await sql<{ expiresAt: number }[]>`
    update millrace.session set seen_at = clock_timestamp(),
      expires_at = least(created_at + interval '30 days',
        clock_timestamp() + ${limits.sessionIdleMsMax} * interval '1 ms')
    where id = ${id}::uuid and expires_at > clock_timestamp()
    returning millrace.ms(expires_at)::float8 as "expiresAt"`
  return row
}

function toSession(row: Row): Session {
  const { id, setting, userName, userRole, passwordHash, keyName, keyRole, keyOwner, keyOwnerRole } = row
  const ofKey = keyRole !== null && keyOwnerRole !== null ? lesserRole(keyRole, keyOwnerRole) : keyRole
  return {
    id,
    role: userRole ?? ofKey ?? 'admin',
    user: userName ?? keyOwner ?? undefined,
    passwordHash: passwordHash ?? undefined,
    keyName: keyName ?? undefined,
    setting: setting ?? undefined,
    expiresAt: row.expiresAt,
  }
}
