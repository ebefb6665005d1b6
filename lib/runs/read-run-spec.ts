import { eq } from 'drizzle-orm'
import { invariant } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { definition } from '#lib/db/schema.ts'

/** The text that runs with this content hash were made from, and the base configuration under it. */
export async function readRunSpec(
  db: Database,
  hash: string,
): Promise<{ spec: string; base: string | undefined }> {
  const [row] = await orm(db)
    .select({ spec: definition.spec, base: definition.baseSpec })
    .from(definition)
    .where(eq(definition.hash, hash))
  invariant(row !== undefined, 'the definition of a run is kept as long as the run')
  return { spec: row.spec, base: row.base ?? undefined }
}
