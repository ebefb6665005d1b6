import type { Database } from '#lib/db/client.ts'

/**
 * Adds ends of runs that are only noted to the totals.
 * @returns how many were added; 0 also while somebody else does it
 */
export function foldEnds(db: Database, input: { limit: number }): Promise<number> {
  return db.call('fold_ends', input.limit)
}
