import { failpoint } from '#lib/core/failpoint.ts'
import { ServiceError } from '#lib/core/errors.ts'
import { getDag } from '#lib/dags/get-dag.ts'
import type { Database } from '#lib/db/client.ts'
import type { CatchUp, Definition, ScheduleEntry } from '#lib/definition/definition.ts'
import { nextFire, previousFire } from '#lib/definition/schedules/fire-times.ts'
import type { DefinitionReader } from '#lib/runs/read-definition.ts'
import { startRun, type RunSource } from '#lib/runs/start-run.ts'
import { stopRun } from '#lib/runs/stop-run.ts'
import { supersedeRuns } from '#lib/runs/supersede-runs.ts'
import { decideFiring, type DueInstant, type Firing } from '#lib/schedules/decide-firing.ts'
import { advance, dueInstants, nextDueIn, type DueRow } from '#lib/schedules/due-instants.ts'
import { instantToServe } from '#lib/schedules/instant-to-serve.ts'

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

/** Entries that are served at the same time: their commits share a sync of the disk. */
const atOnce = 8

/** Instants of one entry that are served in one pass; the next pass goes on. */
const instantsMax = 100

const noCatchUp = { policy: 'none', windowSec: 0 } as const

/**
 * Does what is due, then moves each entry on to its next instant. A tick that dies between the two leaves the instant
 * due: the next one finds the run made (the instant is part of a unique key) and moves on.
 * @returns how many instants did something, and milliseconds until the next is due; undefined when none is known
 */
export async function fireSchedules(
  parts: FireParts,
): Promise<{ fired: number; nextDueMs: number | undefined }> {
  const { db, limit } = parts
  const due = await dueInstants(db, limit)
  if (due.length > 0) failpoint('schedule.due')
  let fired = 0
  let comeBackMs = Number.POSITIVE_INFINITY
  const rows = due.values()
  const serve = async (): Promise<void> => {
    for (const row of rows) {
      const outcome = await serveEntry(parts, row)
      fired += outcome.fired
      comeBackMs = Math.min(comeBackMs, outcome.comeBackMs ?? comeBackMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, serve))
  const nextMs = due.length === limit ? 0 : await nextDueIn(db)
  if (Number.isFinite(comeBackMs)) return { fired, nextDueMs: comeBackMs }
  return { fired, nextDueMs: nextMs }
}

/** Serves the instants of an entry that have come: one, or with `catchup: all` each of them. */
async function serveEntry(parts: FireParts, row: DueRow): Promise<{ fired: number; comeBackMs?: number }> {
  const { db, zone } = parts
  const entry: ScheduleEntry = { expression: row.expression, zone: row.zone ?? undefined }
  const read = await readDue(parts, row)
  const catchUp = read === undefined || row.kind !== 'start' || row.suspended ? noCatchUp : read.dag.catchUp
  let fired = 0
  let latest = latestOf(row)
  let dueMs: number | undefined = row.dueMs
  for (let count = 0; count < instantsMax && dueMs !== undefined && dueMs <= row.nowMs; count++) {
    const { atMs, afterMs } = instantToServe(entry, { dueMs, nowMs: row.nowMs, catchUp }, zone)
    const instant = { row, entry, atMs, latest, catchUp }
    const firing = read && (await serveInstant(parts, instant, read))
    failpoint('schedule.run-made')
    if (firing?.act === 'start' || firing?.act === 'stop') fired++
    if (firing?.act === 'start') latest = { status: 'queued', startedMs: undefined, scheduledMs: atMs }
    if (firing?.act === 'wait') return { fired, comeBackMs: firing.forMs }
    if (firing?.act === 'stop' && firing.again) return { fired, comeBackMs: 500 }
    const nextMs = nextFire(entry, afterMs, zone)
    await advance(db, { ...row, dueMs }, nextMs)
    dueMs = nextMs
  }
  return { fired }
}

interface ReadDue {
  readonly source: RunSource
  readonly dag: Definition
}

/** A DAG that has gone meanwhile is passed over. */
async function readDue({ db, definitions, tell }: FireParts, row: DueRow): Promise<ReadDue | undefined> {
  const { fileName, kind, dueMs, definitionHash: hash } = row
  try {
    const source = await getDag(db, fileName)
    return { source, dag: definitions.parse({ ...source, hash, fileName: source.defaultName }).dag }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    tell({ fileName, kind, dueMs, act: 'failed', why: error.message })
    return undefined
  }
}

interface Instant {
  readonly row: DueRow
  readonly entry: ScheduleEntry
  readonly atMs: number
  readonly latest: DueInstant['latest']
  readonly catchUp: CatchUp
}

async function serveInstant(parts: FireParts, instant: Instant, { source, dag }: ReadDue): Promise<Firing> {
  const { db, zone, tell } = parts
  const { row, entry, atMs, latest, catchUp } = instant
  const { kind, nowMs, suspended, aliveKey, aliveFinishedMs } = row
  const firing = decideFiring({
    kind,
    nowMs,
    suspended,
    latest,
    catchUp,
    dueMs: atMs,
    previousMs: previousFire(entry, atMs, zone),
    skipIfSuccessful: dag.skipIfSuccessful,
    overlapPolicy: dag.overlapPolicy,
    restartWaitMs: dag.restartWaitSec * 1000,
    alive: aliveKey === null ? undefined : { runKey: aliveKey, finishedMs: aliveFinishedMs ?? undefined },
  })
  if (firing.act === 'start') return startInstant(parts, instant, source, firing)
  if (firing.act === 'stop') await stopRun(db, { runKey: firing.runKey })
  const why = 'why' in firing ? { why: firing.why } : {}
  tell({ fileName: row.fileName, kind, dueMs: atMs, act: firing.act, ...why })
  return firing
}

/**
 * A DAG that cannot be started (its file was spoilt, its params do not fit) is passed over, never in the way of
 * others.
 */
async function startInstant(
  { db, definitions, tell }: FireParts,
  { row: { fileName, dagName, kind, nowMs }, atMs }: Instant,
  source: RunSource,
  firing: Extract<Firing, { act: 'start' }>,
): Promise<Firing> {
  const about = { fileName, kind, dueMs: atMs }
  try {
    if (firing.supersedes) await supersedeRuns(db, { dagName, beforeMs: atMs })
    const { dagRunId } = await startRun(db, definitions, source, {
      mode: firing.queued ? 'enqueue' : 'start',
      trigger: 'schedule',
      now: nowMs,
      singleton: false,
      scheduled: { at: atMs, kind },
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

function latestOf(row: DueRow): DueInstant['latest'] {
  if (row.latestStatus === null) return undefined
  return {
    status: row.latestStatus,
    startedMs: row.latestStartedMs ?? undefined,
    scheduledMs: row.latestScheduledMs ?? undefined,
  }
}
