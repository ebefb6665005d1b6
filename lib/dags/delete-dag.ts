import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db/client.ts'
import { orm } from '#lib/db/drizzle.ts'
import { dag } from '#lib/db/schema.ts'
import { absentDag } from './get-dag.ts'

/**
 * Deletes a DAG file and its schedule. Its runs are kept, and active ones continue.
 * @throws ServiceError `not_found`
 */
export async function deleteDag(db: Database, fileName: string): Promise<void> {
  const deleted = await orm(db)
    .delete(dag)
    .where(eq(dag.fileName, fileName))
    .returning({ name: dag.fileName })
  if (deleted.length === 0) throw await absentDag(db, fileName)
}
