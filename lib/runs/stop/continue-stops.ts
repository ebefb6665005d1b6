import type { Database } from '#lib/db/client.ts'

/**
 * Continues the stop of a large tree of runs: the one that has waited longest. Stops up to `limit` more of its runs.
 * @returns the number of trees found: 0 or 1
 */
export function continueStops(db: Database, input: { limit: number }): Promise<number> {
  return db.call('continue_stops', input.limit)
}
