import type { Database } from '#lib/db/client.ts'

/** The version of its DAG from which a run was created; undefined when that is no longer stored. */
export async function runVersion(db: Database, runKey: string): Promise<number | undefined> {
  const [row] = await db.sql<{ version: number | null }[]>`
    select millrace.version_of(r) as version from millrace.dag_run r where r.run_key = ${runKey}::bigint`
  return row?.version ?? undefined
}
