import { createHmac, randomBytes } from 'node:crypto'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { findLogin } from '#lib/users/find-login.ts'
import { verifyPassword } from '#lib/users/password.ts'

const rememberedMax = 1_000

/**
 * Checks passwords of users at a bounded cost. A password that was right is remembered, as a digest that only this
 * process can compute, together with the hash that it matched. While the user has that hash, it is not derived again.
 * The user is read at every call, so a change takes effect at once, on every instance.
 */
export interface PasswordGate {
  /** @throws ServiceError `service_unavailable` when too many checks wait */
  readonly check: (username: string, password: string) => Promise<Role | undefined>
}

export function createPasswordGate(db: Database): PasswordGate {
  const secret = randomBytes(32)
  const fitting = new Map<string, string>()
  const derive = bounded(verifyPassword)

  return {
    check: async (username, password) => {
      const login = await findLogin(db, username)
      const mark = createHmac('sha256', secret).update(`${username}\0${password}`).digest('base64')
      if (login !== undefined && fitting.get(mark) === login.passwordHash) return login.role
      if (!(await derive(password, login?.passwordHash)) || login === undefined) return undefined
      if (fitting.size >= rememberedMax) fitting.clear()
      fitting.set(mark, login.passwordHash)
      return login.role
    },
  }
}

function bounded<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (...args) => {
    if (running >= limits.passwordChecksMax) {
      if (waiting.length >= limits.passwordChecksWaitingMax) {
        throw new ServiceError('service_unavailable', 'too many passwords wait to be checked; try again')
      }
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    } else running += 1
    try {
      return await work(...args)
    } finally {
      const next = waiting.shift()
      // The slot is passed on directly: if it were freed first, a new caller could take it as well.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
