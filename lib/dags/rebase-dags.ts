import type { Database } from '#lib/db/client.ts'
import type { DagDefaults } from './dag-columns.ts'
import { getDag } from './get-dag.ts'
import { saveSpec } from './save-spec.ts'

/**
 * Stores DAGs again that were stored with another base configuration than the current one, or by a version that derived
 * fewer columns. A DAG that would then have faults stays as it is.
 * @returns names of the files that stay as they are
 */
export async function rebaseDags(db: Database, defaults: DagDefaults): Promise<string[]> {
  const rows = await db.sql<{ fileName: string }[]>`
    select d.file_name as "fileName" from millrace.dag d
    join millrace.definition f on f.hash = d.definition_hash
    where f.base_spec is distinct from ${defaults.base ?? null} or d.run_settings = '{}'
    order by 1`
  const stay: string[] = []
  for (const { fileName } of rows) {
    const { spec, version } = await getDag(db, fileName)
    const { problems } = await saveSpec(db, { ...defaults, fileName, spec, version })
    if (problems.length > 0) stay.push(fileName)
  }
  return stay
}
