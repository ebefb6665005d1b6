import { notFound } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { rowOfVersion, type DagVersion } from './list-versions.ts'

/**
 * A version of a DAG with its text; for a deletion, the last text.
 * @throws ServiceError `not_found`
 */
export async function getVersion(
  db: Database,
  { fileName, version }: { readonly fileName: string; readonly version: number },
): Promise<DagVersion & { readonly spec: string }> {
  const [row] = await db.sql<(DagVersion & { spec: string })[]>`
    select ${rowOfVersion(db.sql)}, d.spec
    from millrace.dag_version v
    join millrace.definition d on d.hash = v.definition_hash
    where v.file_name = ${fileName} and v.version = ${version}`
  if (row === undefined) throw notFound(`version of "${fileName}"`, String(version))
  return row
}
