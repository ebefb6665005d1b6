import { eq, sql } from 'drizzle-orm'
import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dag } from '#lib/db/schema.ts'

/**
 * Suspends or resumes the schedule of a DAG; the time of the first suspension is kept, and that of the last return:
 * what was due before makes no run.
 * @throws ServiceError `not_found`
 */
export async function setSuspended(
  db: Database,
  input: { fileName: string; suspended: boolean },
): Promise<void> {
  const change = input.suspended
    ? { suspendedAt: sql`coalesce(${dag.suspendedAt}, now())` }
    : {
        suspendedAt: null,
        resumedAt: sql`case when ${dag.suspendedAt} is null then ${dag.resumedAt} else clock_timestamp() end`,
      }
  const changed = await orm(db)
    .update(dag)
    .set(change)
    .where(eq(dag.fileName, input.fileName))
    .returning({ name: dag.fileName })
  if (changed.length === 0) throw notFound('DAG', input.fileName)
}
