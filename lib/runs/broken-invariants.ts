import type { Database } from '#lib/db/client.ts'

/** So many of the newest runs are looked at, whatever the history holds. */
const newest = 1_000_000

/** What contradicts the rules that always hold; empty unless there is a fault in this program, or rows were edited. */
export async function brokenInvariants(db: Database): Promise<{ invariant: string; detail: string }[]> {
  return await db.sql<{ invariant: string; detail: string }[]>`
    select invariant, detail from millrace.audit(${newest})`
}
