import type { Database } from '#lib/db/client.ts'
import type { Definition } from '#lib/definition/definition.ts'
import type { DefinitionReader } from './read-definition.ts'
import type { RunRecord } from './run-record.ts'

/** An earlier, successful run of the same DAG. */
export interface LastSuccess {
  readonly runId: string
  readonly definition: Definition
  /** Version of its DAG; undefined when that is no longer stored. */
  readonly version: number | undefined
}

/** Maximum number of earlier runs to search. */
const searchedRunsMax = 200

/**
 * The newest success before a root run, among the 200 runs before it. Relies on `dag_run_dag_idx`.
 * @returns undefined when none of them succeeded
 */
export async function lastSuccess(
  db: Database,
  definitions: DefinitionReader,
  run: RunRecord,
): Promise<LastSuccess | undefined> {
  const [row] = await db.sql<
    { runId: string; definitionHash: string; document: string | null; version: number | null }[]
  >`
    select run_id as "runId", definition_hash as "definitionHash", local_dag as document,
      millrace.version_of(run) as version
    from (
      select earlier.run_id, earlier.definition_hash, earlier.local_dag, earlier.status, earlier as run
      from millrace.dag_run run
      join millrace.dag_run earlier on earlier.dag_name = run.dag_name and earlier.parent_key is null
        and (earlier.created_at, earlier.run_key) < (run.created_at, run.run_key)
      where run.run_key = ${run.runKey}::bigint
      order by earlier.created_at desc, earlier.run_key desc
      limit ${searchedRunsMax}::int
    ) as before
    where status = 'success'
    limit 1`
  if (row === undefined) return undefined
  const { runId, definitionHash, document, version } = row
  const of = { ...run, definitionHash, document: document ?? undefined }
  return { runId, version: version ?? undefined, definition: await definitions.read(db, of) }
}
