import type { CatchUp, Definition, ScheduleEntry } from '#lib/definition/definition.ts'
import { nextFire, previousFire } from '#lib/definition/schedules/fire-times.ts'
import { decideFiring, type DueInstant, type Firing } from './decide-firing.ts'
import type { DueRow } from './due-instants.ts'
import { instantToServe } from './instant-to-serve.ts'

/** What is done about the instants of one entry that have come. Times are milliseconds since 1970. */
export interface FiringPlan {
  /** In order. */
  readonly starts: readonly { readonly atMs: number; readonly queued: boolean }[]
  /** Runs of earlier instants that still wait are taken out of their queue. */
  readonly supersedes: boolean
  readonly passedOver: readonly { readonly atMs: number; readonly why: string }[]
  /** A run is to be stopped first, or waited for. */
  readonly first: Extract<Firing, { act: 'stop' | 'wait' }> | undefined
  /** The first instant that nothing is done about; undefined: there never is one. */
  readonly nextMs: number | undefined
}

/** Instants of one entry that are served together; the next pass goes on. */
const instantsMax = 100

const noCatchUp: CatchUp = { policy: 'none', windowSec: 0 }

/**
 * Says what the instants of an entry do that have come: one, or with `catchup: all` each of them. What came while the
 * DAG was suspended does nothing, also when nobody ticked then.
 * @param defaultZone zone of entries that name none
 */
export function planFirings(row: DueRow, dag: Definition, defaultZone: string): FiringPlan {
  const { kind, nowMs, suspended, resumedMs } = row
  const entry: ScheduleEntry = { expression: row.expression, zone: row.zone ?? undefined }
  const catchUp = kind !== 'start' || suspended ? noCatchUp : dag.catchUp
  const starts: { atMs: number; queued: boolean }[] = []
  const passedOver: { atMs: number; why: string }[] = []
  let supersedes = false
  let first: FiringPlan['first']
  let latest = latestOf(row)
  let dueMs: number | undefined = row.dueMs
  if (!suspended && resumedMs !== null && dueMs <= resumedMs) {
    passedOver.push({ atMs: dueMs, why: 'the DAG was suspended' })
    dueMs = nextFire(entry, resumedMs, defaultZone)
  }
  while (dueMs !== undefined && dueMs <= nowMs && starts.length + passedOver.length < instantsMax) {
    const { atMs, afterMs } = instantToServe(entry, { dueMs, nowMs, catchUp }, defaultZone)
    const firing = decideFiring({
      kind,
      nowMs,
      suspended,
      skipIfSuccessful: dag.skipIfSuccessful,
      overlapPolicy: dag.overlapPolicy,
      catchUp,
      latest,
      dueMs: atMs,
      previousMs: dag.skipIfSuccessful ? previousFire(entry, atMs, defaultZone) : undefined,
      restartWaitMs: dag.restartWaitSec * 1000,
      alive: aliveOf(row),
    })
    if (firing.act === 'start') {
      starts.push({ atMs, queued: firing.queued })
      supersedes ||= firing.supersedes
      latest = { status: 'queued', startedMs: undefined, scheduledMs: atMs }
    } else if (firing.act === 'pass over') passedOver.push({ atMs, why: firing.why })
    else {
      first = firing
      // Whoever must wait for the end of a run comes back for the same instant.
      if (firing.act === 'wait' || firing.again) break
    }
    dueMs = nextFire(entry, afterMs, defaultZone)
  }
  return { starts, supersedes, passedOver, first, nextMs: dueMs }
}

function latestOf(row: DueRow): DueInstant['latest'] {
  if (row.latestStatus === null) return undefined
  return {
    status: row.latestStatus,
    startedMs: row.latestStartedMs ?? undefined,
    scheduledMs: row.latestScheduledMs ?? undefined,
  }
}

function aliveOf({ aliveKey, aliveFinishedMs }: DueRow): DueInstant['alive'] {
  return aliveKey === null ? undefined : { runKey: aliveKey, finishedMs: aliveFinishedMs ?? undefined }
}
