import { basename, extname } from 'node:path'
import type { Database } from '#lib/db/client.ts'

/** Makes a DAG belong to the DAG folder, as if a tick had just read its file. */
export async function ownDag(db: Database, path: string, fault: string | null = null): Promise<void> {
  await db.sql`
    insert into millrace.dag_folder (folder, holder, held_until, read_at) values ('/dags', 'a tick', now(), now())
    on conflict do nothing`
  await db.sql`
    insert into millrace.dag_file (path, file_name, fault) values (${path}, ${basename(path, extname(path))}, ${fault})`
}
