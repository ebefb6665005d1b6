import type { RunStatus } from '#lib/core/status.ts'
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
  | { readonly act: 'start' }
  /** `again`: come back for the same instant, as the run must end before it is started anew. */
  | { readonly act: 'stop'; readonly runKey: string; readonly again: boolean }
  | { readonly act: 'wait'; readonly forMs: number }
  | { readonly act: 'pass over'; readonly why: string }

/** An instant that is found later than this is not made up for: the clock stood still, or nobody ticked. */
export const lateMsMax = 300_000

const pollMs = 500

/**
 * Says what a due instant does. Everybody who ticks comes to the same answer, and acting on it twice does nothing the
 * second time; so any number of ticks make one run.
 */
export function decideFiring(instant: DueInstant): Firing {
  const { kind, dueMs, nowMs, suspended, restartWaitMs } = instant
  if (suspended) return { act: 'pass over', why: 'the DAG is suspended' }
  const lateMs = nowMs - dueMs
  if (lateMs > lateMsMax + (kind === 'restart' ? restartWaitMs : 0)) {
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
  return waitMs > 0 ? { act: 'wait', forMs: Math.max(waitMs, pollMs) } : { act: 'start' }
}

function decideStart({ dueMs, previousMs, skipIfSuccessful, latest }: DueInstant): Firing {
  if (latest === undefined) return { act: 'start' }
  if (latest.scheduledMs === dueMs) return { act: 'pass over', why: 'its run exists' }
  if (latest.status === 'running' || latest.status === 'not_started') {
    return { act: 'pass over', why: 'a run is under way' }
  }
  if (latest.startedMs !== undefined && latest.startedMs >= dueMs) {
    return { act: 'pass over', why: 'a run has been started since' }
  }
  // A run that the instant before has made does not count: it would hold back every second instant.
  const since = previousMs ?? Number.POSITIVE_INFINITY
  const done =
    latest.status === 'success' && (latest.startedMs ?? 0) >= since && latest.scheduledMs !== previousMs
  if (skipIfSuccessful && done)
    return { act: 'pass over', why: 'a run has succeeded since the instant before' }
  return { act: 'start' }
}
