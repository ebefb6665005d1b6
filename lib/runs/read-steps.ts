import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { StepStatus } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import { orm, statement } from '#lib/db/drizzle.ts'
import { dagRunStep } from '#lib/db/schema.ts'
import { msOf } from './run-columns.ts'
import type { StepRecord } from './run-record.ts'

const stepsOfRun = statement((on) =>
  on
    .select({
      name: dagRunStep.name,
      place: dagRunStep.place,
      status: dagRunStep.status,
      attempt: dagRunStep.attempt,
      retryCount: dagRunStep.retryCount,
      doneCount: dagRunStep.doneCount,
      startedAt: msOf(dagRunStep.startedAt),
      finishedAt: msOf(dagRunStep.finishedAt),
      exitCode: dagRunStep.exitCode,
      error: dagRunStep.error,
      tolerated: dagRunStep.tolerated,
      outputs: dagRunStep.outputs,
      conditions: dagRunStep.conditions,
    })
    .from(dagRunStep)
    .where(eq(dagRunStep.runKey, sql.placeholder('runKey')))
    .orderBy(asc(dagRunStep.place))
    .prepare('steps_of_run'),
)

/** The stored states of the steps of a run, by name, in the order of its definition. */
export async function readSteps(db: Database, runKey: string): Promise<Map<string, StepRecord>> {
  const rows = await stepsOfRun(db).execute({ runKey })
  const records = rows.map(toStepRecord)
  return new Map(records.map((record) => [record.name, record]))
}

type NullIfAbsent<Type, Keys extends keyof Type> = {
  readonly [Key in keyof Type]: Key extends Keys ? Exclude<Type[Key], undefined> | null : Type[Key]
}
type StepRow = Omit<NullIfAbsent<StepRecord, 'startedAt' | 'finishedAt' | 'exitCode'>, 'status'> & {
  readonly status: string
}

/** A constraint of the table holds `status` to its words. */
function toStepRecord(row: StepRow): StepRecord {
  return {
    ...row,
    status: row.status as StepStatus,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    exitCode: row.exitCode ?? undefined,
  }
}

/** Only the states of the steps of several runs: run key → step name → status. */
export async function readStepStatuses(
  db: Database,
  runKeys: readonly string[],
): Promise<Map<string, Map<string, StepStatus>>> {
  const statuses = new Map(runKeys.map((runKey) => [runKey, new Map<string, StepStatus>()]))
  if (runKeys.length === 0) return statuses
  const rows = await orm(db)
    .select({
      runKey: sql<string>`${dagRunStep.runKey}::text`,
      name: dagRunStep.name,
      status: dagRunStep.status,
    })
    .from(dagRunStep)
    .where(inArray(dagRunStep.runKey, [...runKeys]))
  for (const row of rows) statuses.get(row.runKey)?.set(row.name, row.status as StepStatus)
  return statuses
}
