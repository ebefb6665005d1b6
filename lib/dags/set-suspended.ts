import { eq, sql } from 'drizzle-orm'
import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dag } from '#lib/db/schema.ts'

/**
 * Suspends or resumes the schedule of a DAG; the time of the first suspension is kept.
 * @throws ServiceError `not_found`
 */
export async function setSuspended(
  db: Database,
  input: { fileName: string; suspended: boolean },
): Promise<void> {
  const suspendedAt = input.suspended ? sql`coalesce(${dag.suspendedAt}, now())` : null
  const changed = await orm(db)
    .update(dag)
    .set({ suspendedAt })
    .where(eq(dag.fileName, input.fileName))
    .returning({ name: dag.fileName })
  if (changed.length === 0) throw notFound('DAG', input.fileName)
}
