import type { Database } from '#lib/db/client.ts'
import { changeText, type Change } from './change.ts'
import { absentDag } from './get-dag.ts'

/**
 * Deletes a DAG file and its schedule. Its runs are kept, and active ones continue. So are its versions, for a time.
 * @throws ServiceError `not_found`
 */
export async function deleteDag(db: Database, fileName: string, change?: Change): Promise<void> {
  const deleted = await db.sql`
    delete from millrace.dag where file_name = ${fileName}
    returning set_config('millrace.change', ${changeText(change)}, true)`
  if (deleted.length === 0) throw await absentDag(db, fileName)
}
