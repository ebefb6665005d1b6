import type { CatchUp, Definition, ScheduleEntry } from '#lib/definition/definition.ts'
import { nextFire, previousFire } from '#lib/definition/schedules/fire-times.ts'
import { decideFiring, missedReasons, type DueInstant, type Firing } from './decide-firing.ts'
import type { DueRow } from './due-instants.ts'
import { instantToServe } from '#lib/definition/schedules/instant-to-serve.ts'

/** The plan for the due instants of one entry. Times are milliseconds since 1970. */
export interface FiringPlan {
  /** Runs to create, in order. */
  readonly starts: readonly { readonly atMs: number; readonly queued: boolean }[]
  /** Whether still queued runs of earlier instants are cancelled. */
  readonly supersedes: boolean
  readonly passedOver: readonly { readonly atMs: number; readonly why: string }[]
  /** Instants to record that should start a run and do not, with the reason. */
  readonly missed: readonly MissedTimes[]
  /** A run to stop or to wait for before anything else. */
  readonly first: Extract<Firing, { act: 'stop' | 'wait' }> | undefined
  /** The first instant left for later; undefined: none. */
  readonly nextMs: number | undefined
}

/** All instants of an entry in a range, and the one before the range. Times are milliseconds since 1970. */
export interface MissedTimes {
  readonly fromMs: number
  readonly untilMs: number
  readonly beforeMs: number | undefined
  readonly why: string
}

/** Maximum number of instants of one entry in a pass; the next pass continues. */
const instantsMax = 100

const noCatchUp: CatchUp = { policy: 'none', windowSec: 0 }

/**
 * Decides what the due instants of an entry do: one of them acts, or each with `catchup: all`. Instants during a
 * suspension do nothing, even if no tick ran at the time.
 * @param defaultZone IANA time zone of entries without one
 */
export function planFirings(row: DueRow, dag: Definition, defaultZone: string): FiringPlan {
  const { kind, nowMs, suspended, resumedMs } = row
  const entry: ScheduleEntry = { expression: row.expression, zone: row.zone ?? undefined }
  const catchUp = kind !== 'start' || suspended ? noCatchUp : dag.catchUp
  const starts: { atMs: number; queued: boolean }[] = []
  const passedOver: { atMs: number; why: string }[] = []
  const missed: MissedTimes[] = []
  const miss = (fromMs: number | undefined, untilMs: number, why: string | undefined): void => {
    if (suspended || why === undefined || fromMs === undefined || fromMs > untilMs) return
    missed.push({ fromMs, untilMs, beforeMs: previousFire(entry, fromMs, defaultZone), why })
  }
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
    if (kind === 'start' && catchUp.policy !== 'none') miss(dueMs, atMs - 1, missedReasons.madeUp)
    if (firing.act === 'start') {
      starts.push({ atMs, queued: firing.queued })
      supersedes ||= firing.supersedes
      latest = { status: 'queued', startedMs: undefined, scheduledMs: atMs }
      if (afterMs > atMs) miss(nextFire(entry, atMs, defaultZone), afterMs, missedReasons.together)
    } else if (firing.act === 'pass over') {
      passedOver.push({ atMs, why: firing.why })
      miss(atMs, afterMs, firing.missed)
    } else {
      first = firing
      // A restart that must wait for the end of a run handles the same instant again.
      if (firing.act === 'wait' || firing.again) break
    }
    dueMs = nextFire(entry, afterMs, defaultZone)
  }
  return { starts, supersedes, passedOver, missed, first, nextMs: dueMs }
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
