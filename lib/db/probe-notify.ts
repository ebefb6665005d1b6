import { randomBytes } from 'node:crypto'
import type { Database } from './client.ts'

/**
 * Measures how long a NOTIFY sent through the pool takes to reach the listening connection.
 * @returns milliseconds; undefined when it did not arrive within `withinMs`, or listening is impossible
 */
export async function probeNotify(db: Database, withinMs: number): Promise<number | undefined> {
  const channel = `millrace_probe_${randomBytes(6).toString('hex')}`
  const listens = Promise.withResolvers<boolean>()
  const heard = Promise.withResolvers<boolean>()
  // The first hint means that the connection listens; the second is the notification.
  let hints = 0
  const listening = db.listen([channel], () => (hints++ === 0 ? listens : heard).resolve(true))
  const timer = setTimeout(() => {
    listens.resolve(false)
    heard.resolve(false)
  }, withinMs)
  try {
    if (!(await listens.promise)) return undefined
    const begun = Date.now()
    await db.sql`select pg_notify(${channel}, '')`
    return (await heard.promise) ? Date.now() - begun : undefined
  } finally {
    clearTimeout(timer)
    await listening.stop()
  }
}
