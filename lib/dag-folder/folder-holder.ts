import type { Database } from '#lib/db/client.ts'

/** Releases the DAGs of a folder that no process holds any more: they stay, and the API may change them. */
export async function forgetFolder(db: Database): Promise<void> {
  await db.sql`
    with forgotten as (delete from millrace.dag_folder where held_until < clock_timestamp() returning 1)
    delete from millrace.dag_file where exists (select from forgotten)`
}

/** Expires the lease of the folder. Only when its holder is known to be dead. */
export async function freeFolder(db: Database): Promise<void> {
  await db.sql`update millrace.dag_folder set held_until = clock_timestamp()`
}

/** The process that reads the DAG folder, and how long ago it last did; undefined: never. */
export async function readerOfFolder(
  db: Database,
): Promise<{ readonly folder: string; readonly holder: string; readonly agoMs: number } | undefined> {
  const [row] = await db.sql<{ folder: string; holder: string; agoMs: number }[]>`
    select folder, holder, (extract(epoch from clock_timestamp() - read_at) * 1000)::float8 as "agoMs"
    from millrace.dag_folder where read_at is not null`
  return row
}
