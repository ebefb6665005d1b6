import type { Database } from '#lib/db/client.ts'

/** How many of the newest runs are audited; bounds the cost, whatever the size of the history. */
const newest = 1_000_000

/** Violated invariants. Empty unless this program has a bug or somebody edited rows by hand. */
export async function brokenInvariants(db: Database): Promise<{ invariant: string; detail: string }[]> {
  return await db.sql<{ invariant: string; detail: string }[]>`
    select invariant, detail from millrace.check_invariants(${newest})`
}
