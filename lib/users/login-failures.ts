import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/** A login attempt. */
export interface Attempt {
  /** Absent for API keys. */
  readonly username: string | undefined
  readonly address: string
}

/**
 * Failures are counted across all instances, for three subjects: a user from one address (guessing a password), an
 * address (trying many users), and a user (many machines guessing together). The last limit is generous, so that a
 * stranger cannot easily lock a user out.
 */
function subjectsOf({ username, address }: Attempt): Map<string, number> {
  const { perUserAndAddress, perAddress, perUser } = limits.loginFailures
  const subjects = new Map<string, number>([[`address ${address}`, perAddress]])
  if (username === undefined) return subjects
  return subjects.set(`user ${username}`, perUser).set(`user ${username} at ${address}`, perUserAndAddress)
}

/** @returns seconds until the next attempt is checked; 0: at once */
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

/** Deletes failures whose window is over. */
export async function forgetFailures(db: Database): Promise<void> {
  await db.sql`
    delete from millrace.login_failure
    where since < clock_timestamp() - ${limits.loginFailures.windowMs} * interval '1 ms'`
}
