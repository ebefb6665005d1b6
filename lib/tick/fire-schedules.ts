import { ServiceError } from '#lib/core/errors.ts'
import { getDag } from '#lib/dags/get-dag.ts'
import type { Database } from '#lib/db/client.ts'
import type { ScheduleEntry } from '#lib/definition/definition.ts'
import { nextFire, previousFire } from '#lib/definition/schedules/fire-times.ts'
import type { DefinitionReader } from '#lib/runs/read-definition.ts'
import { startRun } from '#lib/runs/start-run.ts'
import { stopRun } from '#lib/runs/stop-run.ts'
import { decideFiring, type Firing } from '#lib/schedules/decide-firing.ts'
import { advance, dueInstants, nextDueIn, type DueRow } from '#lib/schedules/due-instants.ts'

export interface FireParts {
  readonly db: Database
  readonly definitions: DefinitionReader
  /** Zone of entries that name none. */
  readonly zone: string
  readonly limit: number
  readonly tell: (outcome: Fired) => void
}

/** What became of one due instant, for the log. */
export interface Fired {
  readonly fileName: string
  readonly kind: string
  readonly dueMs: number
  readonly act: Firing['act'] | 'failed'
  readonly why?: string
  readonly runId?: string
}

/**
 * Does what is due, then moves each entry on to its next instant. A tick that dies between the two leaves the instant
 * due: the next one finds the run made (the instant is part of a unique key) and moves on.
 * @returns how many instants did something, and milliseconds until the next is due; undefined when none is known
 */
export async function fireSchedules(
  parts: FireParts,
): Promise<{ fired: number; nextDueMs: number | undefined }> {
  const { db, limit, zone } = parts
  const due = await dueInstants(db, limit)
  let fired = 0
  let comeBackMs = Number.POSITIVE_INFINITY
  for (const row of due) {
    const entry: ScheduleEntry = { expression: row.expression, zone: row.zone ?? undefined }
    const firing = await fireOne(parts, row, entry)
    if (firing.act === 'start' || firing.act === 'stop') fired++
    if (firing.act === 'wait') comeBackMs = Math.min(comeBackMs, firing.forMs)
    else if (firing.act === 'stop' && firing.again) comeBackMs = Math.min(comeBackMs, 500)
    else await advance(db, row, nextFire(entry, row.nowMs, zone))
  }
  const nextMs = due.length === limit ? 0 : await nextDueIn(db)
  if (Number.isFinite(comeBackMs)) return { fired, nextDueMs: comeBackMs }
  return { fired, nextDueMs: nextMs }
}

/**
 * A DAG that cannot be started (its file was spoilt, its params do not fit) is passed over, never in the way of
 * others.
 */
async function fireOne(parts: FireParts, row: DueRow, entry: ScheduleEntry): Promise<Firing> {
  const { db, definitions, zone, tell } = parts
  const about = { fileName: row.fileName, kind: row.kind, dueMs: row.dueMs }
  try {
    const source = await getDag(db, row.fileName)
    const { dag } = definitions.parse({ ...source, hash: row.definitionHash, fileName: source.defaultName })
    const latest = row.latestStatus && {
      status: row.latestStatus,
      startedMs: row.latestStartedMs ?? undefined,
      scheduledMs: row.latestScheduledMs ?? undefined,
    }
    const alive = row.aliveKey && { runKey: row.aliveKey, finishedMs: row.aliveFinishedMs ?? undefined }
    const firing = decideFiring({
      ...row,
      previousMs: previousFire(entry, row.dueMs, zone),
      skipIfSuccessful: dag.skipIfSuccessful,
      restartWaitMs: dag.restartWaitSec * 1000,
      latest: latest || undefined,
      alive: alive || undefined,
    })
    if (firing.act === 'stop') await stopRun(db, { runKey: firing.runKey })
    if (firing.act !== 'start') {
      tell({ ...about, act: firing.act, ...('why' in firing ? { why: firing.why } : {}) })
      return firing
    }
    const { dagRunId } = await startRun(db, definitions, source, {
      mode: 'start',
      trigger: 'schedule',
      now: row.nowMs,
      singleton: false,
      scheduled: { at: row.dueMs, kind: row.kind },
    })
    tell({ ...about, act: 'start', runId: dagRunId })
    return firing
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'already_exists') return { act: 'pass over', why: 'its run exists' }
    tell({ ...about, act: 'failed', why: error.message })
    return { act: 'pass over', why: error.message }
  }
}
