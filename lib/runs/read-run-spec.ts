import { invariant } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/**
 * The text that runs with this content hash were made from, and the base configuration under it. Names no table of
 * Drizzle's: runners load it.
 */
export async function readRunSpec(
  db: Database,
  hash: string,
): Promise<{ spec: string; base: string | undefined }> {
  const [row] = await db.sql<{ spec: string; base: string | null }[]>`
    select spec, base_spec as base from millrace.definition where hash = ${hash}`
  invariant(row !== undefined, 'the definition of a run is kept as long as the run')
  return { spec: row.spec, base: row.base ?? undefined }
}
