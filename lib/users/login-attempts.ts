import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** An attempt to log in by password. */
export interface Attempt {
  readonly username: string
  /** Network of the client; see callerNetwork. */
  readonly address: string
}

/** JSON arrays are unambiguous: a user name may look like a name with an address. */
const subjectsOf = ({ username, address }: Attempt): [pair: string, address: string, user: string] => [
  JSON.stringify(['user at', username, address]),
  JSON.stringify(['address', address]),
  JSON.stringify(['user', username]),
]

/**
 * Counts an attempt across all instances, before the password is checked. The limit is per user and address; failures
 * elsewhere only lower it, so attackers at other addresses cannot lock a user out.
 * @returns milliseconds until the next attempt is allowed; 0: this one is allowed
 */
export async function beginLogin(db: Database, attempt: Attempt): Promise<number> {
  return await db.call<number>('begin_login', ...subjectsOf(attempt), limits.loginFailures)
}

/** Removes the count of an attempt, because its password was right. */
export async function endLogin(db: Database, attempt: Attempt): Promise<void> {
  await db.call('end_login', ...subjectsOf(attempt))
}

/** Whether the user has logged in from this address before. */
export async function isFamiliar(db: Database, attempt: Attempt): Promise<boolean> {
  const [pair] = subjectsOf(attempt)
  const rows = await db.sql`
    select from millrace.login_failure
    where subject = ${pair} and succeeded_at > clock_timestamp() - ${limits.familiarDays} * interval '1 day'`
  return rows.length > 0
}

/** Deletes failures past their window and old successes. */
export async function forgetAttempts(db: Database): Promise<void> {
  await db.sql`
    delete from millrace.login_failure
    where since < clock_timestamp() - ${limits.loginFailures.windowMs} * interval '1 ms'
      and coalesce(succeeded_at < clock_timestamp() - ${limits.familiarDays} * interval '1 day', true)`
}
