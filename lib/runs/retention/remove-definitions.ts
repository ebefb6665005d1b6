import type { Database } from '#lib/db/client.ts'

/**
 * Removes texts that neither a DAG nor a run refers to any more. Only those that may have lost their last reference are
 * looked at.
 * @returns how many were looked at
 */
export function removeDefinitions(db: Database, input: { limit: number }): Promise<number> {
  return db.call('remove_unused_definitions', input.limit)
}
