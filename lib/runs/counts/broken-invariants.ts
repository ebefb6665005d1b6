import type { Database } from '#lib/db/client.ts'

/** Number of newest runs to check, which bounds the cost. */
const checkedRuns = 1_000_000

/** Violated invariants among the newest runs. Empty unless the service has a bug or rows were edited by hand. */
export async function brokenInvariants(db: Database): Promise<{ invariant: string; detail: string }[]> {
  return await db.sql<{ invariant: string; detail: string }[]>`
    select invariant, detail from millrace.check_invariants(${checkedRuns})`
}
