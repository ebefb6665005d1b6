import type { Database } from '#lib/db/client.ts'

/** A DAG file as a runner needs it: its text and the base configuration under it. */
export interface DagText {
  readonly fileName: string
  readonly hash: string
  readonly spec: string
  readonly base: string | undefined
}

/** The DAG file of this name, or undefined. Names no table of Drizzle's: runners load it. */
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
