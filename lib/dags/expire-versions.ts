import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/**
 * Marks the versions of DAGs deleted 30 days ago: they are removed with their definitions once no run uses them.
 * @param input.limit of DAGs
 * @returns of how many DAGs
 */
export function expireVersions(db: Database, input: { limit: number }): Promise<number> {
  return db.call('expire_versions', limits.deletedVersionsDays, input.limit)
}
