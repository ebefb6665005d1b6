import { badRequest, ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { createSession, type NewSession, type SessionBasis } from '#lib/sessions/create-session.ts'
import type { Authenticator, Caller } from './auth.ts'

/** A user with a password, or an API key or token; nothing else. */
export interface Credential {
  readonly username?: string
  readonly password?: string
  readonly token?: string
}

/** Begins a session. @throws ServiceError `unauthorized`, `bad_request`, `forbidden` */
export type SignIn = (
  credential: Credential,
  address: string,
) => Promise<{ readonly caller: Caller; readonly session: NewSession }>

/** The credential passes the same check as in the header `Authorization`: it is counted, noted and limited there. */
export function createSignIn(db: Database, authenticator: Authenticator): SignIn {
  return async (credential, address) => {
    if (!authenticator.isRequired) throw badRequest('authentication is off, so nobody needs to sign in')
    const caller = await authenticator.identify(headerOf(credential), address)
    if (caller.role === 'clock') throw new ServiceError('forbidden', 'the token of the tick cannot sign in')
    const session = await createSession(db, basisOf(caller, credential, authenticator))
    const basis = { session: { id: session.id, expiresAt: session.expiresAt }, passwordHash: undefined }
    return { caller: { ...caller, basis }, session }
  }
}

/** @throws ServiceError `bad_request` */
function headerOf({ username, password, token }: Credential): string {
  if (token !== undefined && username === undefined && password === undefined) return `Bearer ${token}`
  if (token === undefined && username !== undefined && password !== undefined) {
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }
  throw badRequest('either username and password are required, or token')
}

function basisOf(
  { basis, user }: Caller,
  credential: Credential,
  { credentialOf }: Authenticator,
): SessionBasis {
  if (basis !== undefined && 'keyId' in basis) return { keyId: basis.keyId, credential: '' }
  if (basis?.passwordHash !== undefined && user !== undefined) return { user, credential: basis.passwordHash }
  const setting = credential.token !== undefined ? 'token' : 'basic'
  return { setting, credential: credentialOf(setting) ?? '' }
}
