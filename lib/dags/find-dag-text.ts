import type { Database } from '#lib/db/client.ts'

/** A DAG file as a runner needs it: its text and its base configuration. */
export interface DagText {
  readonly fileName: string
  readonly hash: string
  readonly spec: string
  readonly base: string | undefined
}

/** Finds a DAG file by name. Plain SQL, because the runner must not load Drizzle. */
export async function findDagText(db: Database, fileName: string): Promise<DagText | undefined> {
  const [row] = await db.sql<{ hash: string; spec: string; base: string | null }[]>`
    select d.hash, d.spec, d.base_spec as base
    from millrace.dag
    join millrace.definition d on d.hash = dag.definition_hash
    where dag.file_name = ${fileName}`
  return row === undefined
    ? undefined
    : { fileName, hash: row.hash, spec: row.spec, base: row.base ?? undefined }
}
