import type { Database } from '#lib/db/client.ts'

/** Returns those of the given runs that were asked to stop, and when (milliseconds since 1970). */
export async function findStops(
  db: Database,
  runKeys: readonly string[],
): Promise<{ readonly runKey: string; readonly at: number }[]> {
  return await db.sql<{ runKey: string; at: number }[]>`
    select r.run_key::text as "runKey", millrace.ms(r.stop_requested_at)::float8 as at
    from millrace.dag_run r
    where r.stop_requested_at is not null
      and r.run_key in (
        select key::bigint from jsonb_array_elements_text(${JSON.stringify(runKeys)}::text::jsonb) as given (key)
      )`
}
