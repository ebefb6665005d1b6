import type { RunStatus } from '#lib/core/status.ts'
import type { CatchUp, Definition } from '#lib/definition/definition.ts'
import type { ScheduleKind } from './schedule-rows.ts'

/** What must be known to say what a due instant does. Times are milliseconds since 1970 by the database's clock. */
export interface DueInstant {
  readonly kind: ScheduleKind
  readonly dueMs: number
  readonly nowMs: number
  /** The instant of the same entry before this one; undefined when there is none. */
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
  /** The newest run that existed at the instant and had not ended; for stop and restart. */
  readonly alive: { readonly runKey: string; readonly finishedMs: number | undefined } | undefined
}

export type Firing =
  /**
   * `queued`: the run waits in its queue for those before it; `supersedes`: runs of earlier instants that still wait
   * there are taken out.
   */
  | { readonly act: 'start'; readonly queued: boolean; readonly supersedes: boolean }
  /** `again`: come back for the same instant, as the run must end before it is started anew. */
  | { readonly act: 'stop'; readonly runKey: string; readonly again: boolean }
  | { readonly act: 'wait'; readonly forMs: number }
  | { readonly act: 'pass over'; readonly why: string }

/** An instant that is found later than this was missed: the clock stood still, or nobody ticked. */
export const lateMsMax = 300_000

/** With a catch-up policy an instant is missed sooner: as soon as the next one may be due. */
const missedMs = 60_000

const pollMs = 500

/**
 * Says what a due instant does. Everybody who ticks comes to the same answer, and acting on it twice does nothing the
 * second time; so any number of ticks make one run.
 */
export function decideFiring(instant: DueInstant): Firing {
  const { kind, dueMs, nowMs, suspended, restartWaitMs } = instant
  if (suspended) return { act: 'pass over', why: 'the DAG is suspended' }
  const lateMs = nowMs - dueMs
  if (lateMs > longestMs(instant)) {
    return { act: 'pass over', why: `it was due ${Math.round(lateMs / 1000)} s ago` }
  }
  if (kind === 'start') return decideStart(instant)
  const { alive } = instant
  if (alive === undefined) return { act: 'pass over', why: 'no run is under way' }
  if (kind === 'stop') {
    if (alive.finishedMs !== undefined) return { act: 'pass over', why: 'the run has ended' }
    return { act: 'stop', runKey: alive.runKey, again: false }
  }
  if (alive.finishedMs === undefined) return { act: 'stop', runKey: alive.runKey, again: true }
  const waitMs = alive.finishedMs + restartWaitMs - nowMs
  return waitMs > 0 ? { act: 'wait', forMs: Math.max(waitMs, pollMs) } : atOnce
}

const atOnce = { act: 'start', queued: false, supersedes: false } as const

/** How late an instant may be found and still do something, in milliseconds. */
function longestMs({ kind, restartWaitMs, catchUp }: DueInstant): number {
  if (kind === 'restart') return lateMsMax + restartWaitMs
  return kind === 'stop' || catchUp.policy === 'none'
    ? lateMsMax
    : Math.max(missedMs, catchUp.windowSec * 1000)
}

function decideStart(instant: DueInstant): Firing {
  const { dueMs, previousMs, skipIfSuccessful, latest, overlapPolicy } = instant
  const queued = overlapPolicy !== 'skip' || isMadeUp(instant)
  const start = { act: 'start', queued, supersedes: overlapPolicy === 'latest' } as const
  if (latest === undefined) return start
  if (latest.scheduledMs === dueMs) return { act: 'pass over', why: 'its run exists' }
  if (!queued && (latest.status === 'running' || latest.status === 'not_started')) {
    return { act: 'pass over', why: 'a run is under way' }
  }
  if (!queued && latest.startedMs !== undefined && latest.startedMs >= dueMs) {
    return { act: 'pass over', why: 'a run has been started since' }
  }
  // A run that the instant before has made does not count: it would hold back every second instant.
  const since = previousMs ?? Number.POSITIVE_INFINITY
  const done =
    latest.status === 'success' && (latest.startedMs ?? 0) >= since && latest.scheduledMs !== previousMs
  if (skipIfSuccessful && done)
    return { act: 'pass over', why: 'a run has succeeded since the instant before' }
  return start
}

/** Whether every missed instant gets a run, and this is one of them or comes while such runs still wait. */
function isMadeUp({ catchUp, dueMs, nowMs, latest }: DueInstant): boolean {
  return catchUp.policy === 'all' && (nowMs - dueMs > missedMs || latest?.status === 'queued')
}
