import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '#lib/core/errors.ts'
import type { Access } from './define-route.ts'

/** How callers prove who they are. Both absent: authentication is off. Both present: either is accepted. */
export interface AuthSettings {
  readonly basic: { readonly username: string; readonly password: string } | undefined
  readonly token: string | undefined
}

export type Role = 'viewer' | 'operator' | 'editor' | 'admin'

/** Who calls. */
export interface Caller {
  readonly name: string
  readonly role: Role | undefined
}

const rank: Readonly<Record<Role, number>> = { viewer: 1, operator: 2, editor: 3, admin: 4 }
const needed: Readonly<Record<Access, number>> = { public: 0, read: 1, run: 2, write: 3, admin: 4 }

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares digests, so that neither the length nor the place of the first difference shows in the time. */
const same = (given: string, expected: Buffer): boolean => timingSafeEqual(digest(given), expected)

export interface Authenticator {
  /**
   * Names the caller by the `Authorization` header.
   * @throws ServiceError `unauthorized` when the credential is wrong, or missing where one is asked for
   */
  identify(authorization: string | undefined): Caller
  /** The value of `WWW-Authenticate` beside a 401. */
  readonly challenge: string
}

const nobody: Caller = { name: 'anonymous', role: undefined }

export function createAuthenticator(settings: AuthSettings): Authenticator {
  const basic = settings.basic && digest(`Basic ${settings.basic.username}:${settings.basic.password}`)
  const token = settings.token === undefined ? undefined : digest(`Bearer ${settings.token}`)
  const challenge = basic ? 'Basic realm="millrace", charset="UTF-8"' : 'Bearer realm="millrace"'
  if (!basic && !token) return { challenge, identify: () => ({ name: 'anonymous', role: 'admin' }) }
  return {
    challenge,
    identify(authorization) {
      if (authorization === undefined) return nobody
      const [scheme = '', credential = ''] = authorization.trim().split(/ +/, 2)
      if (basic && scheme.toLowerCase() === 'basic') {
        const plain = Buffer.from(credential, 'base64').toString('utf8')
        if (same(`Basic ${plain}`, basic)) return { name: settings.basic?.username ?? '', role: 'admin' }
      }
      if (token && scheme.toLowerCase() === 'bearer' && same(`Bearer ${credential}`, token)) {
        return { name: 'token', role: 'admin' }
      }
      throw new ServiceError('unauthorized', 'the credential is not valid')
    },
  }
}

/**
 * Lets the call pass or throws. What is not allowed is denied.
 * @throws ServiceError `unauthorized` without a caller, `forbidden` when the role is too low
 */
export function checkAccess(caller: Caller, access: Access): void {
  if (access === 'public') return
  if (caller.role === undefined) throw new ServiceError('unauthorized', 'a credential is required')
  if (rank[caller.role] < needed[access]) {
    throw new ServiceError('forbidden', `the role ${caller.role} may not do this`)
  }
}
