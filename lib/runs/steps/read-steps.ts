import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { Sql } from '#lib/db/statement.ts'
import type { StepRecord, StepTry } from '#lib/runs/read/run-record.ts'

type NullIfAbsent<Type, Keys extends keyof Type> = {
  readonly [Key in keyof Type]: Key extends Keys ? Exclude<Type[Key], undefined> | null : Type[Key]
}
/** A row of {@link stepsOf}. */
export type StepRow = NullIfAbsent<
  StepRecord,
  'startedAt' | 'finishedAt' | 'exitCode' | 'waitUntil' | 'outputs' | 'tries'
>

/** Maximum stored (compressed) size of outputs that are read with the step. Larger ones may have megabytes. */
const outputBytesMax = 16_384

/**
 * SQL expression for the steps of a run as a JSON array of {@link StepRow}, in the order of the definition.
 * @param runKey SQL for the key of the run
 */
export const stepsOf = (on: Sql, runKey: ReturnType<Sql>) => on`
  select coalesce(json_agg(step), '[]') from (
    select name, place, status, attempt, retry_count as "retryCount", done_count as "doneCount",
      floor(date_part('epoch', started_at) * 1000 + 0.0005) as "startedAt",
      floor(date_part('epoch', finished_at) * 1000 + 0.0005) as "finishedAt",
      floor(date_part('epoch', wait_until) * 1000 + 0.0005) as "waitUntil",
      exit_code as "exitCode", error, tolerated, conditions, tries,
      case when outputs <> '{}' and pg_column_size(outputs) <= ${outputBytesMax}::int then (
        select jsonb_object_agg(key, left(value, ${limits.outputBeginningLengthMax}::int)) from jsonb_each_text(outputs)
      ) end as outputs
    from millrace.dag_run_step where run_key = ${runKey} order by place
  ) as step`

/** The stored steps of a run, by name, in the order of the definition. */
export async function readSteps(db: Database, runKey: string): Promise<Map<string, StepRecord>> {
  const [row] = await db.sql<[{ steps: readonly StepRow[] }]>`
    select (${stepsOf(db.sql, db.sql`${runKey}::bigint`)}) as steps`
  return toStepRecords(row.steps)
}

export function toStepRecords(rows: readonly StepRow[]): Map<string, StepRecord> {
  return new Map(rows.map((row) => [row.name, toStepRecord(row)]))
}

function toStepRecord(row: StepRow): StepRecord {
  return {
    ...row,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    exitCode: row.exitCode ?? undefined,
    waitUntil: row.waitUntil ?? undefined,
    outputs: row.outputs ?? undefined,
    tries: row.tries ?? undefined,
  }
}

/** Tries in earlier attempts of a run, by name, of the steps that ran again. */
export async function readPastTries(db: Database, runKey: string): Promise<Map<string, readonly StepTry[]>> {
  const rows = await db.sql<{ name: string; tries: readonly StepTry[] }[]>`
    select name, tries from millrace.past_try where run_key = ${runKey}::bigint`
  return new Map(rows.map(({ name, tries }) => [name, tries]))
}

/** The stored steps of several runs, by run key. */
export async function readStepsOfRuns(
  db: Database,
  runKeys: readonly string[],
): Promise<Map<string, Map<string, StepRecord>>> {
  if (runKeys.length === 0) return new Map()
  const rows = await db.sql<{ runKey: string; steps: readonly StepRow[] }[]>`
    select given.key as "runKey", (${stepsOf(db.sql, db.sql`given.key::bigint`)}) as steps
    from json_array_elements_text(${JSON.stringify(runKeys)}::text::json) as given (key)`
  return new Map(rows.map(({ runKey, steps }) => [runKey, toStepRecords(steps)]))
}
