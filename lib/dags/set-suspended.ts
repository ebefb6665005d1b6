import { eq, sql } from 'drizzle-orm'
import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dag } from '#lib/db/schema.ts'

/**
 * Suspends or resumes the schedule of a DAG. A repeated suspension keeps the time of the first. The time of the last
 * resume is kept too: what was due before it creates no run.
 * @param input.by who suspends it; undefined where nobody is asked
 * @throws ServiceError `not_found`
 */
export async function setSuspended(
  db: Database,
  input: { fileName: string; suspended: boolean; by?: string | undefined },
): Promise<void> {
  const change = input.suspended
    ? {
        suspendedAt: sql`coalesce(${dag.suspendedAt}, now())`,
        suspendedBy: sql`case when ${dag.suspendedAt} is null then ${input.by ?? null} else ${dag.suspendedBy} end`,
      }
    : {
        suspendedAt: null,
        suspendedBy: null,
        resumedAt: sql`case when ${dag.suspendedAt} is null then ${dag.resumedAt} else clock_timestamp() end`,
      }
  const changed = await orm(db)
    .update(dag)
    .set(change)
    .where(eq(dag.fileName, input.fileName))
    .returning({ name: dag.fileName })
  if (changed.length === 0) throw notFound('DAG', input.fileName)
}
