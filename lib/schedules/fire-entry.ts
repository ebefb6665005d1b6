import type { Database } from '#lib/db/client.ts'
import type { CreateRunOutcome, CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import type { DueRow } from '#lib/schedules/due-instants.ts'
import type { MissedTimes } from '#lib/schedules/plan-firings.ts'

/** A run that an entry creates. Times are milliseconds since 1970. */
export interface ScheduledStart {
  readonly runId: string
  readonly atMs: number
  readonly mode: CreateRunRequest['mode']
}

/**
 * Creates the runs of an entry's instants and advances the entry, in one transaction.
 * @param input.request the common part of the runs; undefined when there are none
 * @param input.supersedes whether still queued runs of earlier instants are cancelled
 * @param input.nextMs the next instant; undefined: none, so the entry is removed
 * @returns undefined when nothing was done: another tick was faster, or the DAG was suspended or changed
 */
export async function fireEntry(
  db: Database,
  due: DueRow,
  input: {
    readonly starts: readonly ScheduledStart[]
    readonly request: CreateRunRequest | undefined
    readonly supersedes: boolean
    /** Instants to record as missed. */
    readonly missed: readonly MissedTimes[]
    /** Zone of entries without one. */
    readonly defaultZone: string
    readonly nextMs: number | undefined
  },
): Promise<readonly CreateRunOutcome[] | undefined> {
  const { fileName, kind, expression, zone, dueMs } = due
  const { starts, request, supersedes, nextMs = null, defaultZone } = input
  const entry = { fileName, kind, expression, zone, dueMs }
  const missed = input.missed.map((times) => ({ ...times, zone: zone ?? defaultZone }))
  const outcomes = await db.call<readonly CreateRunOutcome[] | null>(
    'fire_schedule',
    { ...entry, supersedes, nextMs, missed },
    request ?? {},
    starts,
  )
  return outcomes ?? undefined
}
