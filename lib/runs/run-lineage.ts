import type { Database } from '#lib/db/client.ts'

/** What a run is made from: two with the same file and document are the same DAG, whatever the text says by now. */
export interface LineageEntry {
  readonly fileName: string | undefined
  readonly document: string | undefined
  readonly definitionHash: string
}

/** A run and everything above it, from the run up to its root. Bounded by the depth of child runs. */
export async function runLineage(db: Database, runKey: string): Promise<LineageEntry[]> {
  const rows = await db.sql<{ fileName: string | null; document: string | null; definitionHash: string }[]>`
    with recursive line as (
      select r.run_key, r.parent_key, r.file_name, r.document, r.definition_hash, 0 as above
      from millrace.dag_run r
      where r.run_key = ${runKey}::bigint
      union all
      select r.run_key, r.parent_key, r.file_name, r.document, r.definition_hash, line.above + 1
      from millrace.dag_run r
      join line on r.run_key = line.parent_key
    )
    select file_name as "fileName", document, definition_hash as "definitionHash"
    from line
    order by above`
  return rows.map(({ fileName, document, definitionHash }) => ({
    fileName: fileName ?? undefined,
    document: document ?? undefined,
    definitionHash,
  }))
}
