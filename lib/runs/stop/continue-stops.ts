import type { Database } from '#lib/db/client.ts'

/**
 * Tells more runs of a large tree to stop, whose stop was begun before; of the tree that has waited longest.
 * @returns how many trees were found: one or none
 */
export function continueStops(db: Database, input: { limit: number }): Promise<number> {
  return db.call('continue_stops', input.limit)
}
