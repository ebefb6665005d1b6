import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Database } from '#lib/db/client.ts'
import { findLogin, type Login } from '#lib/users/find-login.ts'
import type { Attempt } from '#lib/users/login-attempts.ts'

/** Who logged in; `own`: with the password of the settings. */
export type PasswordMatch = 'own' | Login

/**
 * Correct passwords, each for its user and address, as digests that only this process can compute. A known one costs
 * nothing more while the user has the hash that it matched. A different password makes the process forget it, so that
 * the memory answers one wrong guess at most, and that one is then counted like any other.
 */
export class PasswordMemory {
  readonly #db: Database
  readonly #secret = randomBytes(32)
  readonly #kept = new RecentlyUsed<{ readonly mark: Buffer; readonly match: PasswordMatch }>(
    limits.passwordsRemembered,
  )

  constructor(db: Database) {
    this.#db = db
  }

  /** The digest of a guess: of the user, the address and the password. */
  mark(attempt: Attempt, password: string): Buffer {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([idOf(attempt), password]))
      .digest()
  }

  async recall(attempt: Attempt, mark: Buffer): Promise<PasswordMatch | undefined> {
    const id = idOf(attempt)
    const known = this.#kept.get(id)
    if (known === undefined) return undefined
    if (!timingSafeEqual(known.mark, mark)) this.#kept.delete(id)
    else if (known.match === 'own') return 'own'
    else {
      const login = await findLogin(this.#db, attempt.username)
      if (login?.passwordHash === known.match.passwordHash) return login
      this.#kept.delete(id)
    }
    return undefined
  }

  remember(attempt: Attempt, mark: Buffer, match: PasswordMatch): void {
    this.#kept.set(idOf(attempt), { mark, match }, 1)
  }
}

const idOf = ({ username, address }: Attempt): string => JSON.stringify([username, address])
