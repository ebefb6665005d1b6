import { onTestFinished } from 'vitest'
import { openPooler } from './pgbouncer.ts'

/**
 * Starts a pooler that shares connections between transactions, for one test.
 * @param connections the number of connections to the database
 * @returns the URL of the database through the pooler
 */
export async function startPooler(url: string, connections = 2): Promise<string> {
  const pooler = await openPooler(url, connections)
  onTestFinished(pooler.close)
  return pooler.url
}
