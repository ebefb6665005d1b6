import type { Database } from '#lib/db/client.ts'

/**
 * Adds up to `limit` recorded ends of runs to the totals.
 * @returns the number of ends added; 0 also while another process does this
 */
export function foldEnds(db: Database, input: { limit: number }): Promise<number> {
  return db.call('fold_ends', input.limit)
}
