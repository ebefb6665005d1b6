import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { findLogin, type Login } from '#lib/users/find-login.ts'
import { beginLogin, endLogin, isFamiliar, type Attempt } from '#lib/users/login-attempts.ts'
import { verifyPassword } from '#lib/users/password.ts'
import { createLine } from './password-lines.ts'
import { PasswordMemory, type PasswordMatch } from './password-memory.ts'
import { sameText } from './same-text.ts'

/** @throws ServiceError `service_unavailable` when too many checks wait, {@link LoginLimit} when too many failed */
export type CheckPassword = (attempt: Attempt, password: string) => Promise<PasswordMatch | undefined>

/** An attempt that is refused unchecked. */
export class LoginLimit extends ServiceError {
  constructor(waitMs: number) {
    const seconds = Math.ceil(waitMs / 1000)
    super('unauthorized', `too many wrong credentials; try again in ${seconds} seconds`, {
      retryAfterSeconds: seconds,
    })
  }
}

type Own = { readonly username: string; readonly password: string } | undefined

/** Checks passwords at a bounded cost. A {@link PasswordMemory} remembers passwords that were correct before. */
export function createPasswordCheck(db: Database, own: Own): CheckPassword {
  const memory = new PasswordMemory(db)
  const underWay = new Map<string, Promise<PasswordMatch | undefined>>()
  const look = createLook(db, own)
  return async (attempt, password) => {
    const mark = memory.mark(attempt, password)
    const recalled = await memory.recall(attempt, mark)
    if (recalled !== undefined) return recalled
    const check = async (): Promise<PasswordMatch | undefined> => {
      const match = await look(attempt, password)
      if (match === undefined) return undefined
      await endLogin(db, attempt)
      memory.remember(attempt, mark, match)
      return match
    }
    // Identical concurrent guesses count as one.
    const name = mark.toString('base64')
    const checking = underWay.get(name) ?? check().finally(() => underWay.delete(name))
    underWay.set(name, checking)
    return await checking
  }
}

/**
 * Counts a password in the database, and then looks at it. Derivations wait in two queues, so that strangers cannot
 * keep a user out who has logged in from the same address before.
 */
function createLook(db: Database, own: Own): CheckPassword {
  const lines = { familiar: createLine(limits.passwordChecks), strange: createLine(limits.passwordChecks) }

  async function reserve(attempt: Attempt): Promise<void> {
    const waitMs = await beginLogin(db, attempt)
    if (waitMs > 0) throw new LoginLimit(waitMs)
  }

  async function derive(username: string, password: string): Promise<Login | undefined> {
    const login = await findLogin(db, username)
    return (await verifyPassword(password, login?.passwordHash)) ? login : undefined
  }

  return async (attempt, password) => {
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
}
