import type { Database } from '#lib/db/client.ts'

/** Returns those names of working folders that belong to no DAG and no run any more. */
export function unusedFolders(db: Database, names: readonly string[]): Promise<readonly string[]> {
  return db.call('unused_folders', names)
}
