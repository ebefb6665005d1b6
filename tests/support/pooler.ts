import { onTestFinished } from 'vitest'
import { openPooler } from './pgbouncer.ts'

/**
 * Starts a pooler that shares connections between transactions, for one test.
 * @param connections that it has to the database
 * @returns the URL of the same database behind it
 */
export async function startPooler(url: string, connections = 2): Promise<string> {
  const pooler = await openPooler(url, connections)
  onTestFinished(pooler.close)
  return pooler.url
}
