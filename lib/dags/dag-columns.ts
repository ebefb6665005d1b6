import type { Database } from '#lib/db/client.ts'
import type { Problem, SpecReading } from '#lib/definition/definition.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { scheduleRows } from '#lib/definition/schedules/schedule-rows.ts'
import type { Change } from './change.ts'
import { definitionHash } from './definition-hash.ts'
import { storedSummary } from './summarize-dag.ts'
import { warnAboutMissing } from './warn-about-missing.ts'

/** Defaults that a deployment applies to all DAGs. */
export interface DagDefaults {
  /** Text of the base configuration. */
  readonly base?: string
  /** IANA name, for schedules that name none. */
  readonly zone: string
}

/** A spec as a caller gives it, to be stored under a file name. */
export interface SpecInput extends DagDefaults {
  readonly fileName: string
  readonly spec: string
  /** The service itself by default. */
  readonly change?: Change
}

/** Columns derived from a spec and stored with it. Lists and objects are JSON text, as the statements expect. */
export interface DagColumns {
  readonly hash: string
  readonly dagName: string
  readonly summary: string
  readonly tags: string
  readonly group: string
  readonly queue: string | null
  readonly maxActiveRuns: number
  /** Settings of the runs that `millrace.start_run` creates from SQL. */
  readonly runSettings: string
  /** Names of the steps of all DAGs of the file, one a line. */
  readonly stepNames: string
  readonly problems: readonly Problem[]
  /** About the text itself, and about what it names. */
  readonly warnings: readonly Problem[]
  /** Rows of the table of schedules. */
  readonly schedule: string
}

/** Parses a spec and derives its columns. The next times of its schedule are computed by the clock of the database. */
export async function dagColumns(db: Database, input: SpecInput): Promise<DagColumns> {
  const { fileName, spec, base, zone } = input
  const reading = readSpec(spec, base === undefined ? { fileName } : { fileName, base })
  const { dag, problems } = reading
  const { start, stop, restart } = dag.schedule
  const timed = problems.length === 0 && start.length + stop.length + restart.length > 0
  const rows = timed ? scheduleRows(dag.schedule, await databaseNow(db), zone) : []
  return {
    hash: definitionHash(spec, base),
    dagName: dag.name,
    summary: JSON.stringify(storedSummary(dag)),
    tags: JSON.stringify(dag.tags),
    group: dag.group,
    queue: dag.queue ?? null,
    maxActiveRuns: dag.maxActiveRuns,
    runSettings: JSON.stringify({
      labels: dag.workerSelector,
      histRetentionDays: dag.histRetentionDays,
      histRetentionRuns: dag.histRetentionRuns ?? null,
    }),
    stepNames: stepNamesOf(reading),
    problems,
    warnings: [...reading.warnings, ...(await warnAboutMissing(db, reading))],
    schedule: JSON.stringify(rows.map((row, place) => Object.assign(row, { place }))),
  }
}

/** {@link DagColumns.stepNames} */
export function stepNamesOf({ dag, localDags }: Pick<SpecReading, 'dag' | 'localDags'>): string {
  const names = [dag, ...localDags].flatMap(({ steps }) => steps.map(({ name }) => name))
  return [...new Set(names)].join('\n').replaceAll('\0', '')
}

async function databaseNow(db: Database): Promise<number> {
  const [row] = await db.sql<{ ms: number }[]>`select (extract(epoch from now()) * 1000)::float8 as ms`
  return row?.ms ?? 0
}
