import { randomBytes } from 'node:crypto'
import type { Database } from './client.ts'

/**
 * Whether what is said by NOTIFY on the connections of the pool is heard by LISTEN on its own.
 * @returns milliseconds until it was heard; undefined when it was not within `withinMs`
 * @throws what the driver throws when the connection for LISTEN cannot be opened
 */
export async function hearsItself(db: Database, withinMs: number): Promise<number | undefined> {
  const channel = `millrace_probe_${randomBytes(6).toString('hex')}`
  const heard = Promise.withResolvers<boolean>()
  let begun: number | undefined
  // The hint that tells that the connection is there comes before anything was said.
  const listening = db.listen([channel], () => begun !== undefined && heard.resolve(true))
  const timer = setTimeout(() => heard.resolve(false), withinMs)
  try {
    begun = Date.now()
    await db.sql`select pg_notify(${channel}, '')`
    return (await heard.promise) ? Date.now() - begun : undefined
  } finally {
    clearTimeout(timer)
    await listening.stop()
  }
}
