import type { Database } from '#lib/db/client.ts'

/** Versions of the DAGs that runs were created from, by run key; absent: no longer stored, or a run without a file. */
export async function readVersions(
  { sql }: Database,
  runKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ runKey: string; version: number | null }[]>`
    select r.run_key::text as "runKey", millrace.version_of(r) as version
    from json_array_elements_text(${JSON.stringify(runKeys)}::text::json) as given (key)
    join millrace.dag_run r on r.run_key = given.key::bigint
    where r.file_name is not null`
  return new Map(rows.flatMap(({ runKey, version }) => (version === null ? [] : [[runKey, version]])))
}
