import type { CatchUp, Definition, ScheduleEntry } from '#lib/definition/definition.ts'
import { nextFire, previousFire } from '#lib/definition/schedules/fire-times.ts'
import { decideFiring, type DueInstant, type Firing } from './decide-firing.ts'
import type { DueRow } from './due-instants.ts'
import { instantToServe } from '#lib/definition/schedules/instant-to-serve.ts'

/** What to do about the due instants of one entry. Times are milliseconds since 1970. */
export interface FiringPlan {
  /** Runs to create, in order. */
  readonly starts: readonly { readonly atMs: number; readonly queued: boolean }[]
  /** Whether still queued runs of earlier instants are cancelled. */
  readonly supersedes: boolean
  readonly passedOver: readonly { readonly atMs: number; readonly why: string }[]
  /** A run that must be stopped, or waited for, first. */
  readonly first: Extract<Firing, { act: 'stop' | 'wait' }> | undefined
  /** The first instant that is left for later; undefined: there is none. */
  readonly nextMs: number | undefined
}

/** Maximum number of instants of one entry that are served together; the next pass continues. */
const instantsMax = 100

const noCatchUp: CatchUp = { policy: 'none', windowSec: 0 }

/**
 * Decides what the due instants of an entry do: one of them, or each with `catchup: all`. Instants during a suspension
 * do nothing, even when no tick ran then.
 * @param defaultZone time zone of entries that name none
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
      // A restart that must wait for the end of a run is served again at the same instant.
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
