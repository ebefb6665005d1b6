import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'

/**
 * Gives up the versions of DAGs that were deleted 30 days ago: they go with their definitions, once no run has those.
 * @param input.limit of DAGs
 * @returns of how many DAGs
 */
export function expireVersions(db: Database, input: { limit: number }): Promise<number> {
  return db.call('expire_versions', limits.deletedVersionsDays, input.limit)
}
