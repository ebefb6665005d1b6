import type { Database } from './client.ts'

const rounds = 4

/**
 * Whether something between here and the database gives one backend to several clients in turn: a pooler that shares
 * connections between transactions. Two clients never meet the same backend otherwise, as each keeps its own. A pooler
 * that is busy may go unnoticed.
 * @param clients of one connection each, to the same URL, unprepared
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
