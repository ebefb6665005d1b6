import type { Database } from '#lib/db/client.ts'

/** Stored size of the captured outputs of a run in bytes, compressed. Does not read the outputs. */
export async function storedOutputsSize(db: Database, runKey: string): Promise<number> {
  const [row] = await db.sql<{ size: number }[]>`
    select coalesce(sum(pg_column_size(outputs)), 0)::float8 as size
    from millrace.dag_run_step where run_key = ${runKey}::bigint and outputs <> '{}'`
  return row?.size ?? 0
}

/**
 * The captured outputs of a run, by step and variable. They may have megabytes, so other queries do not read them.
 * @param step name of the only step to read; default: all
 */
export async function readOutputs(
  db: Database,
  runKey: string,
  step?: string,
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const rows = await db.sql<{ name: string; outputs: Readonly<Record<string, string>> }[]>`
    select name, outputs from millrace.dag_run_step where run_key = ${runKey}::bigint and outputs <> '{}'
      ${step === undefined ? db.sql`` : db.sql`and name = ${step}`}`
  return new Map(rows.map(({ name, outputs }) => [name, outputs]))
}
