import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** Who tries to log in. */
export interface Attempt {
  /** Absent for keys. */
  readonly username: string | undefined
  readonly address: string
}

/**
 * Failures are counted over all instances, and for three subjects: a user at an address (somebody guesses), an address
 * (somebody tries many users), a user (many machines guess together). The last is generous, so that a stranger cannot
 * easily lock a user out.
 */
function subjectsOf({ username, address }: Attempt): Map<string, number> {
  const { perUserAndAddress, perAddress, perUser } = limits.loginFailures
  const subjects = new Map<string, number>([[`address ${address}`, perAddress]])
  if (username === undefined) return subjects
  return subjects.set(`user ${username}`, perUser).set(`user ${username} at ${address}`, perUserAndAddress)
}

/** @returns seconds until the next attempt is looked at; 0: it is now */
export async function secondsToWait(db: Database, attempt: Attempt): Promise<number> {
  const subjects = subjectsOf(attempt)
  const { windowMs } = limits.loginFailures
  const rows = await db.sql<{ subject: string; failures: number; waitMs: number }[]>`
    select subject, failures,
      (${windowMs} - extract(epoch from clock_timestamp() - since) * 1000)::float8 as "waitMs"
    from millrace.login_failure where subject in ${db.sql([...subjects.keys()])}`
  const waits = rows.map(({ subject, failures, waitMs }) =>
    failures >= (subjects.get(subject) ?? 0) ? Math.max(0, waitMs) : 0,
  )
  return Math.ceil(Math.max(0, ...waits) / 1000)
}

export async function countFailure(db: Database, attempt: Attempt): Promise<void> {
  await db.call('count_login_failure', [...subjectsOf(attempt).keys()], limits.loginFailures.windowMs)
}

/** Forgets failures whose window is over. */
export async function forgetFailures(db: Database): Promise<void> {
  await db.sql`
    delete from millrace.login_failure
    where since < clock_timestamp() - ${limits.loginFailures.windowMs} * interval '1 ms'`
}
