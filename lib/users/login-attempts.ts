import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** Who wants to log in by password. */
export interface Attempt {
  readonly username: string
  /** Where the call comes from; see callerNetwork. */
  readonly address: string
}

/** Lists are unambiguous: a user may have any name, also one that looks like a name and an address. */
const subjectsOf = ({ username, address }: Attempt): [pair: string, address: string, user: string] => [
  JSON.stringify(['user at', username, address]),
  JSON.stringify(['address', address]),
  JSON.stringify(['user', username]),
]

/**
 * Counts an attempt over all instances, before it is looked at. Strangers elsewhere cannot use up the attempts of a
 * user at an address: the number of attempts is limited per user and address, and other failures only lower that limit.
 * @returns milliseconds until the next attempt is counted; 0: this one is counted, and may be looked at
 */
export async function beginLogin(db: Database, attempt: Attempt): Promise<number> {
  return await db.call<number>('begin_login', ...subjectsOf(attempt), limits.loginFailures)
}

/** The password was right: the attempt no longer counts. */
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

/** Deletes failures whose window is over, and logins of long ago. */
export async function forgetAttempts(db: Database): Promise<void> {
  await db.sql`
    delete from millrace.login_failure
    where since < clock_timestamp() - ${limits.loginFailures.windowMs} * interval '1 ms'
      and coalesce(succeeded_at < clock_timestamp() - ${limits.familiarDays} * interval '1 day', true)`
}
