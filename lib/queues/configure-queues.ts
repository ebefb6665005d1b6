import type { Database } from '#lib/db/client.ts'

/**
 * Sets the custom queues and their limits to those of the settings. A queue that is no longer named falls back to the
 * limits of its DAGs. Active runs are left alone.
 */
export async function configureQueues(
  db: Database,
  queues: readonly { readonly name: string; readonly maxConcurrency: number }[],
): Promise<void> {
  await db.sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(queues)}::text::jsonb)
        as q (name text, "maxConcurrency" int)
    ),
    former as (
      update millrace.queue set max_concurrency = null
      where max_concurrency is not null and name not in (select name from wanted)
    )
    insert into millrace.queue (name, max_concurrency) select name, "maxConcurrency" from wanted
    on conflict (name) do update set max_concurrency = excluded.max_concurrency`
}
