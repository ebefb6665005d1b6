import type { Database } from '#lib/db/client.ts'

/** Which of these names of working folders belong to no DAG and no run any more. */
export function unusedFolders(db: Database, names: readonly string[]): Promise<readonly string[]> {
  return db.call('unused_folders', names)
}
