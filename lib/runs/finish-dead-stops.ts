import type { Database } from '#lib/db/client.ts'

/** Lets runners end the stopped runs that nobody owns; answers how many. */
export function finishDeadStops(db: Database, input: { limit: number }): Promise<number> {
  return db.call('finish_dead_stops', input.limit)
}
