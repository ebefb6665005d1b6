import type { Database } from '#lib/db/client.ts'
import type { CreateRunOutcome, CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import type { DueRow } from '#lib/schedules/due-instants.ts'
import type { MissedTimes } from '#lib/schedules/plan-firings.ts'

/** One run that an entry makes. Times are milliseconds since 1970. */
export interface ScheduledStart {
  readonly runId: string
  readonly atMs: number
  readonly mode: CreateRunRequest['mode']
}

/**
 * Makes the runs of instants of an entry and moves the entry on, together or not at all.
 * @param input.request what the runs share; undefined when there are none
 * @param input.supersedes whether runs of earlier instants that still wait are taken out of their queue
 * @param input.nextMs undefined: it never comes again, and the entry is removed
 * @returns undefined when nothing was done: somebody else was quicker, or the DAG was suspended or changed
 */
export async function fireEntry(
  db: Database,
  due: DueRow,
  input: {
    readonly starts: readonly ScheduledStart[]
    readonly request: CreateRunRequest | undefined
    readonly supersedes: boolean
    /** What is noted of instants that start no run. */
    readonly missed: readonly MissedTimes[]
    /** Zone of entries that name none. */
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
