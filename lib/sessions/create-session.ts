import { invariant } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { newToken, sealOf, tokenDigest } from './session-token.ts'

/**
 * The credential on which a session is based. The session ends when `credential` changes; sessions of keys do not use
 * it.
 */
export type SessionBasis =
  | { readonly user: string; readonly credential: string }
  | { readonly keyId: string; readonly credential: '' }
  | { readonly setting: 'basic' | 'token'; readonly credential: string }

/** A newly created session. */
export interface NewSession {
  readonly token: string
  readonly id: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Creates a session. Beyond the limit per user, key or setting, the oldest sessions are deleted. */
export async function createSession({ sql }: Database, basis: SessionBasis): Promise<NewSession> {
  const token = newToken()
  const user = 'user' in basis ? basis.user : null
  const keyId = 'keyId' in basis ? basis.keyId : null
  const setting = 'setting' in basis ? basis.setting : null
  const [session] = await sql<Omit<NewSession, 'token'>[]>`
    with surplus as (
      select id from millrace.session
      where user_name = ${user}::text or key_id = ${keyId}::uuid or setting = ${setting}::text
      order by created_at desc, id offset ${limits.sessionsPerCredentialMax - 1} for update skip locked
    ),
    gone as (delete from millrace.session s using surplus where s.id = surplus.id)
    insert into millrace.session (digest, user_name, key_id, setting, seal, expires_at)
    values (${tokenDigest(token)}, ${user}, ${keyId}, ${setting}, ${sealOf(token, basis.credential)},
      clock_timestamp() + ${limits.sessionIdleMsMax} * interval '1 ms')
    returning id::text, millrace.ms(expires_at)::float8 as "expiresAt"`
  invariant(session !== undefined, 'a session is inserted')
  return { token, ...session }
}
