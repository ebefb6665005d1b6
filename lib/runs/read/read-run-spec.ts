import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/**
 * The text and the base configuration with this content hash. Plain SQL, because the runner must not load Drizzle.
 * @throws ServiceError `not_found` when the last run that used it was removed
 */
export async function readRunSpec(
  db: Database,
  hash: string,
): Promise<{ spec: string; base: string | undefined }> {
  const [row] = await db.sql<{ spec: string; base: string | null }[]>`
    select spec, base_spec as base from millrace.definition where hash = ${hash}`
  if (row === undefined) throw notFound('definition', hash)
  return { spec: row.spec, base: row.base ?? undefined }
}
