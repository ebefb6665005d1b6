import type { Database } from '#lib/db/client.ts'

/** The DAGs of a folder that no process holds any more belong to no file: the API may change them. They stay. */
export async function forgetFolder(db: Database): Promise<void> {
  await db.sql`
    with forgotten as (delete from millrace.dag_folder where held_until < clock_timestamp() returning 1)
    delete from millrace.dag_file where exists (select from forgotten)`
}

/** Lets any process take the folder, when its holder must be dead. */
export async function freeFolder(db: Database): Promise<void> {
  await db.sql`update millrace.dag_folder set held_until = clock_timestamp()`
}

/** Who reads the folder of DAGs, and when it was last read; undefined if it was never read. */
export async function readerOfFolder(
  db: Database,
): Promise<{ readonly folder: string; readonly holder: string; readonly agoMs: number } | undefined> {
  const [row] = await db.sql<{ folder: string; holder: string; agoMs: number }[]>`
    select folder, holder, (extract(epoch from clock_timestamp() - read_at) * 1000)::float8 as "agoMs"
    from millrace.dag_folder where read_at is not null`
  return row
}
