import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Database } from '#lib/db/client.ts'
import { findLogin, type Login } from '#lib/users/find-login.ts'
import { beginLogin, endLogin, isFamiliar, type Attempt } from '#lib/users/login-attempts.ts'
import { verifyPassword } from '#lib/users/password.ts'
import { createLine } from './password-lines.ts'
import { sameText } from './same-text.ts'

/** Who logged in; `own`: with the password of the settings. */
export type PasswordMatch = 'own' | Login

/** @throws ServiceError `service_unavailable` when too many checks wait, {@link LoginLimit} when too many failed */
export type CheckPassword = (attempt: Attempt, password: string) => Promise<PasswordMatch | undefined>

/** An attempt that is not looked at. */
export class LoginLimit extends ServiceError {
  constructor(waitMs: number) {
    const seconds = Math.ceil(waitMs / 1000)
    super('unauthorized', `too many wrong credentials; the next is looked at in ${seconds} seconds`, {
      retryAfterSeconds: seconds,
    })
  }
}

interface Remembered {
  readonly mark: Buffer
  readonly match: PasswordMatch
}

/**
 * Checks passwords at a bounded cost. Each is counted in the database before it is looked at, and derived in one of two
 * lines, so that strangers cannot keep a user out who has logged in from the same address before.
 *
 * A password that was right is remembered for its user and address, as a digest that only this process can compute, and
 * costs nothing more while the user has the hash that it matched. A different password makes the process forget it, so
 * that the memory answers one wrong guess at most, and that one is counted like any other.
 */
export function createPasswordCheck(
  db: Database,
  own: { readonly username: string; readonly password: string } | undefined,
): CheckPassword {
  const secret = randomBytes(32)
  const remembered = new RecentlyUsed<Remembered>(limits.passwordsRemembered)
  const underWay = new Map<string, Promise<PasswordMatch | undefined>>()
  const lines = { familiar: createLine(limits.passwordChecks), strange: createLine(limits.passwordChecks) }

  async function recall(id: string, mark: Buffer, username: string): Promise<PasswordMatch | undefined> {
    const known = remembered.get(id)
    if (known === undefined) return undefined
    if (!timingSafeEqual(known.mark, mark)) remembered.delete(id)
    else if (known.match === 'own') return 'own'
    else {
      const login = await findLogin(db, username)
      if (login?.passwordHash === known.match.passwordHash) return login
      remembered.delete(id)
    }
    return undefined
  }

  async function reserve(attempt: Attempt): Promise<void> {
    const waitMs = await beginLogin(db, attempt)
    if (waitMs > 0) throw new LoginLimit(waitMs)
  }

  async function derive(username: string, password: string): Promise<Login | undefined> {
    const login = await findLogin(db, username)
    return (await verifyPassword(password, login?.passwordHash)) ? login : undefined
  }

  async function look(attempt: Attempt, password: string): Promise<PasswordMatch | undefined> {
    const { username, address } = attempt
    if (own !== undefined && sameText(username, own.username)) {
      await reserve(attempt)
      if (sameText(password, own.password)) return 'own'
      // Takes as long as the check of any user. Its place in line does not depend on the password.
      return await lines.familiar.run(address, () => derive(username, password))
    }
    const line = (await isFamiliar(db, attempt)) ? lines.familiar : lines.strange
    return await line.run(address, async () => {
      await reserve(attempt)
      return await derive(username, password)
    })
  }

  return async (attempt, password) => {
    const { username, address } = attempt
    const id = JSON.stringify([username, address])
    const mark = createHmac('sha256', secret)
      .update(JSON.stringify([id, password]))
      .digest()
    const recalled = await recall(id, mark, username)
    if (recalled !== undefined) return recalled
    const check = async (): Promise<PasswordMatch | undefined> => {
      const match = await look(attempt, password)
      if (match === undefined) return undefined
      await endLogin(db, attempt)
      remembered.set(id, { mark, match }, 1)
      return match
    }
    // The same guess at the same time is one guess.
    const name = mark.toString('base64')
    const checking = underWay.get(name) ?? check().finally(() => underWay.delete(name))
    underWay.set(name, checking)
    return await checking
  }
}
