import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'

/**
 * Refuses to change DAGs that files of the folder of DAGs are the source of.
 * @throws ServiceError `read_only` that names the file
 */
export async function refuseOwned(db: Database, ...fileNames: readonly string[]): Promise<void> {
  const owner = await findOwner(db, fileNames)
  if (owner === undefined) return
  throw new ServiceError('read_only', readOnlyReason(owner), { details: { file: owner.path } })
}

/** A file of the folder of DAGs, and the DAG that it is the source of. */
export interface OwningFile {
  /** Relative to the folder. */
  readonly path: string
  readonly fileName: string
}

/** The first file of the folder that owns one of these DAGs. */
export async function findOwner(
  { sql }: Database,
  fileNames: readonly string[],
): Promise<OwningFile | undefined> {
  const [owner] = await sql<OwningFile[]>`
    select path, file_name as "fileName" from millrace.owning_file
    where file_name in (select json_array_elements_text(${JSON.stringify(fileNames)}::text::json))
    order by path limit 1`
  return owner
}

export const readOnlyReason = ({ path, fileName }: OwningFile): string =>
  `DAG "${fileName}" is the file ${path} of the folder of DAGs (MILLRACE_DAGS_DIR): change it there`

/** A file of the folder of DAGs that is not stored, with the reason. */
export interface FileFault {
  /** Relative to the folder. */
  readonly path: string
  readonly fault: string
}

const faultsMax = 100

/** The files of the folder of DAGs that are not stored, by path; at most a hundred. */
export async function listFileFaults({ sql }: Database): Promise<FileFault[]> {
  return await sql<FileFault[]>`${fileFaults(sql)}`
}

/** The statement of {@link listFileFaults}, to be part of others. */
export const fileFaults = (sql: Sql) => sql`
  select path, fault from millrace.owning_file where fault is not null order by path limit ${faultsMax}`
