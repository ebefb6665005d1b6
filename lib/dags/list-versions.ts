import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'
import type { Change } from './change.ts'
import { absentDag } from './get-dag.ts'

/** A version of a DAG: one of its texts, a rename, or its deletion. */
export interface DagVersion {
  readonly version: number
  /** The name of the file then. */
  readonly named: string
  readonly change: 'created' | 'saved' | 'renamed' | 'restored' | 'deleted'
  /** The version whose text it restores. */
  readonly restored: number | null
  /** Milliseconds since 1970. */
  readonly savedAt: number
  readonly savedBy: string | null
  readonly source: Change['source']
  readonly message: string | null
}

/** A {@link DagVersion}. */
export const rowOfVersion = (sql: Sql) => sql`
  v.version, v.named, v.change, v.restored, millrace.ms(v.saved_at)::float8 as "savedAt", v.saved_by as "savedBy",
  v.source, v.message`

/**
 * The versions of a DAG, newest first; also of a deleted one, as long as they are kept. Relies on the primary key.
 * @param input.before lists only older ones
 * @throws ServiceError `not_found`
 */
export async function listVersions(
  db: Database,
  { fileName, limit, before }: { fileName: string; limit: number; before?: number | undefined },
): Promise<readonly DagVersion[]> {
  const rows = await db.sql<DagVersion[]>`
    select ${rowOfVersion(db.sql)}
    from millrace.dag_version v
    where v.file_name = ${fileName} and v.version < coalesce(${before ?? null}::int, 2147483647)
    order by v.version desc
    limit ${limit}`
  if (rows.length === 0 && before === undefined) throw await absentDag(db, fileName)
  return rows
}
