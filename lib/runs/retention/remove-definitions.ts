import type { Database } from '#lib/db/client.ts'

/**
 * Removes texts that no DAG and no run refers to. Checks only texts that may have lost their last reference.
 * @returns the number of checked texts
 */
export function removeDefinitions(db: Database, input: { limit: number }): Promise<number> {
  return db.call('remove_unused_definitions', input.limit)
}
