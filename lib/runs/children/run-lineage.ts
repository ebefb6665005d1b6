import type { Database } from '#lib/db/client.ts'

/** Identifies the DAG of a run: its file and document, even if the text has changed since. Without a file, its hash. */
export interface LineageEntry {
  readonly fileName: string | undefined
  readonly document: string | undefined
  readonly definitionHash: string
}

/** The run and its ancestors, from the run up to its root. Bounded by `limits.childDepthMax`. */
export async function runLineage(db: Database, runKey: string): Promise<LineageEntry[]> {
  const rows = await db.sql<{ fileName: string | null; document: string | null; definitionHash: string }[]>`
    with recursive line as (
      select r.run_key, r.parent_key, r.file_name, r.local_dag, r.definition_hash, 0 as above
      from millrace.dag_run r
      where r.run_key = ${runKey}::bigint
      union all
      select r.run_key, r.parent_key, r.file_name, r.local_dag, r.definition_hash, line.above + 1
      from millrace.dag_run r
      join line on r.run_key = line.parent_key
    )
    select file_name as "fileName", local_dag as document, definition_hash as "definitionHash"
    from line
    order by above`
  return rows.map(({ fileName, document, definitionHash }) => ({
    fileName: fileName ?? undefined,
    document: document ?? undefined,
    definitionHash,
  }))
}
