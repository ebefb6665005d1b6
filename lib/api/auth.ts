import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/roles.ts'
import { findKey } from '#lib/api-keys/find-key.ts'
import type { Database } from '#lib/db/client.ts'
import { countFailure, secondsToWait, type Attempt } from '#lib/users/login-failures.ts'
import type { Access } from './define-route.ts'
import { createPasswordGate } from './password-gate.ts'

/**
 * Credentials from the settings. `basic` and `token` grant the role admin. When neither is set, authentication is off
 * and everybody is admin; otherwise users and API keys of the database are accepted as well.
 */
export interface AuthSettings {
  readonly basic: { readonly username: string; readonly password: string } | undefined
  readonly token: string | undefined
  /** Token of an external clock. It may call the tick, and nothing else. */
  readonly tickToken?: string | undefined
}

/** The authenticated caller. */
export interface Caller {
  readonly name: string
  readonly role: Role | 'clock' | undefined
}

const rank: Readonly<Record<Role | 'clock', number>> = {
  clock: 0,
  viewer: 1,
  operator: 2,
  editor: 3,
  admin: 4,
}
const needed: Readonly<Record<Access, number>> = { public: 0, read: 1, run: 2, write: 3, admin: 4, tick: 4 }

/** Longer than any valid credential. */
const headerLengthMax = 8_192

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares digests, so that the time depends neither on the length nor on the position of the first difference. */
const same = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))

export interface Authenticator {
  /**
   * Authenticates a caller by the `Authorization` header.
   * @param address address of the caller; failures are counted by address
   * @throws ServiceError `unauthorized` when the credential is wrong, or after too many failures
   */
  identify(authorization: string | undefined, address: string): Promise<Caller>
  /** Values for the `WWW-Authenticate` header of a 401. */
  readonly challenges: readonly string[]
}

export const nobody: Caller = { name: 'anonymous', role: undefined }
/** The caller when authentication is off. */
export const everybody: Caller = { name: 'anonymous', role: 'admin' }

export function createAuthenticator(settings: AuthSettings, db: Database): Authenticator {
  const bearer = 'Bearer realm="millrace"'
  const basic = 'Basic realm="millrace", charset="UTF-8"'
  const challenges = settings.basic === undefined ? [bearer, basic] : [basic, bearer]
  if (settings.basic === undefined && settings.token === undefined) {
    return { challenges, identify: () => Promise.resolve(everybody) }
  }
  const gate = createPasswordGate(db)

  async function byPassword(credential: string, address: string): Promise<Caller> {
    const plain = Buffer.from(credential, 'base64').toString('utf8')
    const colon = plain.indexOf(':')
    const [username, password] = [plain.slice(0, Math.max(0, colon)), plain.slice(colon + 1)]
    if (colon <= 0 || username.includes('\0')) throw wrong()
    const role = await attempt({ username, address }, async () => {
      const own = settings.basic
      if (own && same(plain, `${own.username}:${own.password}`)) return 'admin' as const
      return await gate.check(username, password)
    })
    return { name: username, role }
  }

  async function byKey(key: string, address: string): Promise<Caller> {
    if (settings.token !== undefined && same(key, settings.token)) return { name: 'token', role: 'admin' }
    if (settings.tickToken !== undefined && same(key, settings.tickToken))
      return { name: 'tick', role: 'clock' }
    return await attempt({ username: undefined, address }, async () => {
      const found = await findKey(db, key)
      return found && { name: `key ${found.name}`, role: found.role }
    })
  }

  /** Checks a credential, unless there were too many failures. */
  async function attempt<Found>(who: Attempt, look: () => Promise<Found | undefined>): Promise<Found> {
    const seconds = await secondsToWait(db, who)
    if (seconds > 0) {
      const message = `too many wrong credentials; the next is looked at in ${seconds} seconds`
      throw new ServiceError('unauthorized', message, { retryAfterSeconds: seconds })
    }
    const found = await look()
    if (found !== undefined) return found
    await countFailure(db, who)
    throw wrong()
  }

  return {
    challenges,
    async identify(authorization, address) {
      if (authorization === undefined) return nobody
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

/**
 * Checks that a caller may use a route. Whatever is not allowed is denied.
 * @throws ServiceError `unauthorized` without a caller, `forbidden` when the role is too low
 */
export function checkAccess(caller: Caller, access: Access): void {
  if (access === 'public') return
  if (caller.role === undefined) throw new ServiceError('unauthorized', 'a credential is required')
  if (access === 'tick' && caller.role === 'clock') return
  if (rank[caller.role] < needed[access]) {
    throw new ServiceError('forbidden', `the role ${caller.role} may not do this`)
  }
}
