import type { Database } from '#lib/db/client.ts'

/** Milliseconds since the last tick of any process; undefined when none is recorded. */
export async function lastTick(db: Database): Promise<number | undefined> {
  const [row] = await db.sql<{ agoMs: number | null }[]>`
    select (extract(epoch from clock_timestamp() - max(heartbeat_at)) * 1000)::float8 as "agoMs"
    from millrace.ticker`
  return row?.agoMs ?? undefined
}
