import type { Database } from './client.ts'

const rounds = 4

/**
 * Whether a pooler in transaction mode shares backends between clients. Without one, two connections never see the same
 * backend. A busy pooler may go unnoticed.
 * @param one and `other`: pools of one connection each, to the same URL, without prepared statements
 */
export async function sharesConnections(one: Database, other: Database): Promise<boolean> {
  const seen = { one: new Set<number>(), other: new Set<number>() }
  for (let round = 0; round < rounds; round++) {
    seen.one.add(await backendOf(one))
    seen.other.add(await backendOf(other))
  }
  return [...seen.one].some((backend) => seen.other.has(backend))
}

async function backendOf(db: Database): Promise<number> {
  const [row] = await db.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}
