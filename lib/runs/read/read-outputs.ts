import type { Database } from '#lib/db/client.ts'

/**
 * The captured outputs of a run: by step, then by variable. They may have megabytes, so nothing else reads them with
 * the steps.
 */
export async function readOutputs(
  db: Database,
  runKey: string,
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const rows = await db.sql<{ name: string; outputs: Readonly<Record<string, string>> }[]>`
    select name, outputs from millrace.dag_run_step where run_key = ${runKey}::bigint and outputs <> '{}'`
  return new Map(rows.map(({ name, outputs }) => [name, outputs]))
}
