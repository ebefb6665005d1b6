import { keyPrefix } from '#lib/api-keys/key-digest.ts'
import { findKey } from '#lib/api-keys/find-key.ts'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { lesserRole, roles, type Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import type { Attempt } from '#lib/users/login-attempts.ts'
import { callerNetwork } from './caller-network.ts'
import type { Access } from './access.ts'
import type { NoteLoginFailure } from './note-login-failure.ts'
import { createPasswordCheck, LoginLimit } from './password-login.ts'
import {
  createSessionCheck,
  type CallerSession,
  type SessionCheck,
  type SessionCredentials,
} from './session-caller.ts'
import { sameText } from './same-text.ts'

/**
 * Credentials from the settings. `basic` and `token` grant the role admin. When neither is set, authentication is off
 * and everybody is admin; otherwise users and API keys of the database are accepted as well.
 */
export interface AuthSettings extends SessionCredentials {
  /** Token of an external clock. It may call the tick, and nothing else. */
  readonly tickToken?: string | undefined
}

/** The authenticated caller. */
export interface Caller {
  readonly name: string
  readonly role: Role | 'clock' | undefined
  /** The caller did not authenticate. The name alone does not show that, because a user may have it. */
  readonly isAnonymous?: true
  /** The user who calls, or who owns the key; undefined: a credential of the settings, or a key without owner. */
  readonly user?: string | undefined
  /** What the rights depend on; a long call may lose them. Undefined: a credential of the settings. */
  readonly basis?:
    | { readonly keyId: string }
    | { readonly passwordHash: string }
    | { readonly session: CallerSession; readonly passwordHash: string | undefined }
}

const rank: Readonly<Record<Role | 'clock', number>> = {
  clock: 0,
  viewer: 1,
  operator: 2,
  editor: 3,
  admin: 4,
}
const needed: Readonly<Record<Access, number>> = {
  public: 0,
  session: 0,
  read: 1,
  run: 2,
  write: 3,
  admin: 4,
  tick: 4,
}

/** Longer than any valid credential. */
const headerLengthMax = 8_192

export interface Authenticator {
  /**
   * Authenticates a caller by the `Authorization` header, or else by the token of a session.
   * @param address address of the caller; wrong passwords are counted by address
   * @throws ServiceError `unauthorized` when the credential is wrong, or after too many failures
   */
  identify(authorization: string | undefined, address: string, session?: string): Promise<Caller>
  /** Whether callers need a credential. */
  readonly isRequired: boolean
  readonly credentialOf: SessionCheck['credentialOf']
  /** Values for the `WWW-Authenticate` header of a 401. */
  readonly challenges: readonly string[]
}

export const nobody: Caller = { name: 'anonymous', role: undefined, isAnonymous: true }
/** The caller when authentication is off. */
export const everybody: Caller = { name: 'anonymous', role: 'admin', isAnonymous: true }

export function createAuthenticator(
  settings: AuthSettings,
  db: Database,
  note: NoteLoginFailure = () => Promise.resolve(),
): Authenticator {
  const bearer = 'Bearer realm="millrace"'
  const basic = 'Basic realm="millrace", charset="UTF-8"'
  const challenges = settings.basic === undefined ? [bearer, basic] : [basic, bearer]
  if (settings.basic === undefined && settings.token === undefined) {
    const identify = () => Promise.resolve(everybody)
    return { challenges, isRequired: false, credentialOf: () => undefined, identify }
  }
  const checkPassword = createPasswordCheck(db, settings.basic)
  const sessions = createSessionCheck(db, settings)

  async function byPassword(credential: string, address: string): Promise<Caller> {
    const { username, password } = readBasic(credential)
    const attempt: Attempt = { username, address: callerNetwork(address) }
    const refused = { kind: 'password', name: username, address } as const
    const match = await checkPassword(attempt, password).catch(async (error: unknown) => {
      if (error instanceof LoginLimit) await note({ ...refused, wasChecked: false })
      throw error
    })
    if (match === 'own') return { name: username, role: 'admin' }
    if (match !== undefined) {
      return { name: username, role: match.role, user: username, basis: { passwordHash: match.passwordHash } }
    }
    await note({ ...refused, wasChecked: true })
    throw wrong()
  }

  async function byKey(key: string, address: string): Promise<Caller> {
    if (settings.token !== undefined && sameText(key, settings.token)) return { name: 'token', role: 'admin' }
    if (settings.tickToken !== undefined && sameText(key, settings.tickToken))
      return { name: 'tick', role: 'clock' }
    const found = await findKey(db, key)
    if (found !== undefined) {
      return { name: `key ${found.name}`, role: found.role, user: found.owner, basis: { keyId: found.id } }
    }
    await note({ kind: 'key', name: keyPrefix(key), address, wasChecked: true })
    throw wrong()
  }

  return {
    challenges,
    isRequired: true,
    credentialOf: sessions.credentialOf,
    async identify(authorization, address, session) {
      if (authorization === undefined)
        return session === undefined ? nobody : await sessions.identify(session)
      if (authorization.length > headerLengthMax) throw wrong()
      const [scheme = '', credential = '', ...more] = authorization.trim().split(/ +/)
      if (credential === '' || more.length > 0) throw wrong()
      if (scheme.toLowerCase() === 'basic') return await byPassword(credential, address)
      if (scheme.toLowerCase() === 'bearer') return await byKey(credential, address)
      throw wrong()
    },
  }
}

const wrong = (): ServiceError => new ServiceError('unauthorized', 'the credential is not valid')

/** @throws ServiceError `unauthorized` for what cannot be the credential of anybody */
function readBasic(credential: string): { username: string; password: string } {
  const plain = decode(Buffer.from(credential, 'base64'))
  const colon = plain.indexOf(':')
  const [username, password] = [plain.slice(0, Math.max(0, colon)), plain.slice(colon + 1)]
  const isName = colon > 0 && username.length <= limits.usernameLengthMax && !/\p{Cc}/u.test(username)
  if (!isName || password.length > limits.passwordLengthMax) throw wrong()
  return { username, password }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw wrong()
  }
}

/**
 * The caller with at most the given role: a node that forwards a call uses its own credential here, and says whom
 * it calls for. Never raises a role.
 */
export function lowered(caller: Caller, most: string | undefined): Caller {
  const role = roles.find((one) => one === most)
  if (role === undefined || caller.role === undefined || caller.role === 'clock') return caller
  return { ...caller, role: lesserRole(caller.role, role) }
}

/**
 * Checks that a caller may use a route. Whatever is not allowed is denied.
 * @throws ServiceError `unauthorized` without a caller, `forbidden` when the role is too low
 */
export function checkAccess(caller: Caller, access: Access): void {
  if (access === 'public' || access === 'session') return
  if (caller.role === undefined) throw new ServiceError('unauthorized', 'a credential is required')
  if (access === 'tick' && caller.role === 'clock') return
  if (!mayDo(caller, access)) throw new ServiceError('forbidden', `the role ${caller.role} may not do this`)
}

/** Whether the role of a caller is high enough. */
export function mayDo({ role }: Caller, access: Access): boolean {
  return role !== undefined && rank[role] >= needed[access]
}
