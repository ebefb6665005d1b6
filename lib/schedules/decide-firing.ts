import type { RunStatus } from '#lib/core/status.ts'
import type { CatchUp, Definition } from '#lib/definition/definition.ts'
import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'

/**
 * An instant (a due time of an entry), and the facts that decide what it does. Times are milliseconds since 1970, by
 * the clock of the database.
 */
export interface DueInstant {
  readonly kind: ScheduleKind
  readonly dueMs: number
  readonly nowMs: number
  /** The previous instant of the same entry; undefined when there is none. */
  readonly previousMs: number | undefined
  readonly suspended: boolean
  readonly skipIfSuccessful: boolean
  readonly catchUp: CatchUp
  readonly overlapPolicy: Definition['overlapPolicy']
  readonly restartWaitMs: number
  /** The DAG's newest run. */
  readonly latest:
    | {
        readonly status: RunStatus
        readonly startedMs: number | undefined
        readonly scheduledMs: number | undefined
      }
    | undefined
  /** The newest run that existed at the instant and had not ended; for stop and restart entries. */
  readonly alive: { readonly runKey: string; readonly finishedMs: number | undefined } | undefined
}

export type Firing =
  /**
   * `queued`: the run waits in its queue behind active ones; `supersedes`: still queued runs of earlier instants are
   * cancelled.
   */
  | { readonly act: 'start'; readonly queued: boolean; readonly supersedes: boolean }
  /** `again`: the instant is handled again later, because a restart must wait for the end of the run. */
  | { readonly act: 'stop'; readonly runKey: string; readonly again: boolean }
  | { readonly act: 'wait'; readonly forMs: number }
  /**
   * `missed`: the recorded reason why an instant that should have started a run did not; absent: it should not have.
   */
  | { readonly act: 'pass over'; readonly why: string; readonly missed?: string }

/** An instant handled later than this counts as missed: no tick ran, or the machine slept. */
export const lateMsMax = 300_000

/** With a catch-up policy, an instant counts as missed sooner, because the next one may be due by then. */
const missedMs = 60_000

const pollMs = 500

/**
 * Decides what a due instant does. Every tick decides the same, and applying the decision twice has no further effect,
 * so any number of ticks create one run.
 */
export function decideFiring(instant: DueInstant): Firing {
  const { kind, dueMs, nowMs, suspended, restartWaitMs } = instant
  if (suspended) return { act: 'pass over', why: 'the DAG is suspended' }
  const lateMs = nowMs - dueMs
  if (lateMs > graceMsOf(instant)) {
    const why = `it was due ${Math.round(lateMs / 1000)} s ago`
    return kind === 'stop' ? { act: 'pass over', why } : { act: 'pass over', why, missed: missedReasons.late }
  }
  if (kind === 'start') return decideStart(instant)
  const { alive } = instant
  if (alive === undefined) return { act: 'pass over', why: 'no run is active' }
  if (kind === 'stop') {
    if (alive.finishedMs !== undefined) return { act: 'pass over', why: 'the run has ended' }
    return { act: 'stop', runKey: alive.runKey, again: false }
  }
  if (alive.finishedMs === undefined) return { act: 'stop', runKey: alive.runKey, again: true }
  const waitMs = alive.finishedMs + restartWaitMs - nowMs
  return waitMs > 0 ? { act: 'wait', forMs: Math.max(waitMs, pollMs) } : startNow
}

/** The recorded reasons for missed instants, as shown to users. */
export const missedReasons = {
  late: 'no tick ran in time',
  active: 'a run was active',
  started: 'a run had been started since',
  succeeded: 'a run had already succeeded since the previous time',
  madeUp: 'a later time replaced it',
  together: 'a tick came late, and served the first of several times',
} as const

const startNow = { act: 'start', queued: false, supersedes: false } as const

/** How late an instant may be and still act, milliseconds. */
function graceMsOf({ kind, restartWaitMs, catchUp }: DueInstant): number {
  if (kind === 'restart') return lateMsMax + restartWaitMs
  return kind === 'stop' || catchUp.policy === 'none'
    ? lateMsMax
    : Math.max(missedMs, catchUp.windowSec * 1000)
}

function decideStart(instant: DueInstant): Firing {
  const { dueMs, previousMs, skipIfSuccessful, latest, overlapPolicy } = instant
  const queued = overlapPolicy !== 'skip' || isCaughtUp(instant)
  const start = { act: 'start', queued, supersedes: overlapPolicy === 'latest' } as const
  if (latest === undefined) return start
  if (latest.scheduledMs === dueMs) return { act: 'pass over', why: 'its run exists' }
  if (!queued && (latest.status === 'running' || latest.status === 'not_started')) {
    return { act: 'pass over', why: 'a run is active', missed: missedReasons.active }
  }
  if (!queued && latest.startedMs !== undefined && latest.startedMs >= dueMs) {
    return { act: 'pass over', why: 'a run has been started since', missed: missedReasons.started }
  }
  // A run that the previous instant started does not count; otherwise every second instant would be skipped.
  const since = previousMs ?? Number.POSITIVE_INFINITY
  const done =
    latest.status === 'success' && (latest.startedMs ?? 0) >= since && latest.scheduledMs !== previousMs
  if (!skipIfSuccessful || !done) return start
  const why = 'a run has already succeeded since the previous time'
  return { act: 'pass over', why, missed: missedReasons.succeeded }
}

/** Whether `catchup: all` applies: the instant is missed, or is due while runs of missed instants are still queued. */
function isCaughtUp({ catchUp, dueMs, nowMs, latest }: DueInstant): boolean {
  return catchUp.policy === 'all' && (nowMs - dueMs > missedMs || latest?.status === 'queued')
}
