import { ServiceError } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { findSession } from '#lib/sessions/find-session.ts'

/** Credentials of the settings that may begin a session. */
export interface SessionCredentials {
  readonly basic: { readonly username: string; readonly password: string } | undefined
  readonly token: string | undefined
}

/** The session that a call belongs to. */
export interface CallerSession {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The caller behind a session. */
interface SessionCaller {
  readonly name: string
  readonly role: Role | undefined
  readonly user: string | undefined
  readonly basis: { readonly session: CallerSession; readonly passwordHash: string | undefined }
}

/** Finds the caller by the token of a session. */
export interface SessionCheck {
  /** @throws ServiceError `unauthorized` when the session has ended */
  readonly identify: (token: string) => Promise<SessionCaller>
  /** What the sessions of a credential of the settings are sealed with; undefined: there is no such credential. */
  readonly credentialOf: (setting: 'basic' | 'token') => string | undefined
}

export function createSessionCheck(db: Database, { basic, token }: SessionCredentials): SessionCheck {
  const credentialOf = (setting: 'basic' | 'token'): string | undefined =>
    setting === 'token' ? token : basic && JSON.stringify([basic.username, basic.password])

  return {
    credentialOf,
    identify: async (given) => {
      const found = await findSession(db, given, credentialOf)
      if (found === undefined) throw new ServiceError('unauthorized', 'the session has ended; sign in again')
      const { id, role, user, keyName, setting, passwordHash, expiresAt } = found
      const ownName = setting === 'basic' ? (basic?.username ?? '') : 'token'
      const name = keyName === undefined ? (user ?? ownName) : `key ${keyName}`
      return { name, role, user, basis: { session: { id, expiresAt }, passwordHash } }
    },
  }
}
