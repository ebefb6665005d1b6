import { failpoint } from '#lib/core/failpoint.ts'
import { ServiceError } from '#lib/core/errors.ts'
import { getDag, type StoredDag } from '#lib/dags/get-dag.ts'
import type { Database } from '#lib/db/client.ts'
import type { CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import { newRunId } from '#lib/runs/start/new-run-id.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import { requestRun } from '#lib/runs/start/start-run.ts'
import { stopRun } from '#lib/runs/stop/stop-run.ts'
import type { Firing } from '#lib/schedules/decide-firing.ts'
import { dueInstants, nextDueIn, type DueRow } from '#lib/schedules/due-instants.ts'
import { planFirings, type FiringPlan, type MissedTimes } from '#lib/schedules/plan-firings.ts'
import { fireEntry } from './fire-entry.ts'

export interface FireDeps {
  readonly db: Database
  readonly definitions: DefinitionReader
  /** Zone of entries without one, if the zone in which they were computed is unknown. */
  readonly zone: string
  /** Maximum number of entries in one pass. */
  readonly limit: number
  readonly onFired: (outcome: Fired) => void
}

/** The outcome of a due instant, for the log. */
export interface Fired {
  readonly fileName: string
  readonly kind: string
  readonly dueMs: number
  readonly act: Firing['act'] | 'failed'
  readonly why?: string
  readonly runId?: string
}

interface EntryOutcome {
  readonly fired: number
  /** Time after which the entry must be handled again, milliseconds. */
  readonly retryInMs?: number
  /** True if another tick holds the entry or was faster, or its DAG has changed. */
  readonly isTaken?: boolean
}

/** Number of entries handled concurrently, so that their commits share a disk sync. */
const concurrency = 8

/** With concurrent ticks, entries are read a few at a time, to avoid those that others have handled meanwhile. */
const sharedBatch = 32

const pollMs = 500

/**
 * Handles all due entries. One statement creates the runs of an entry and advances it, or does nothing if another tick
 * holds the entry or was faster. So any number of ticks share the work and create each run once.
 * @returns the number of instants that had an effect, and milliseconds until the next is due; undefined: none
 */
export async function fireSchedules(
  deps: FireDeps,
): Promise<{ fired: number; nextDueMs: number | undefined }> {
  const { db, limit } = deps
  let fired = 0
  let retryInMs = Number.POSITIVE_INFINITY
  let isOnlyTick = true
  const handle = async (rows: Iterable<DueRow>, count: number): Promise<void> => {
    for (const row of rows) {
      const outcome = await handleEntry(deps, row)
      fired += outcome.fired
      retryInMs = Math.min(retryInMs, outcome.retryInMs ?? retryInMs)
      isOnlyTick &&= outcome.isTaken !== true
      if (!isOnlyTick && count > sharedBatch) return
    }
  }
  for (let readCount = 0; readCount <= limit; readCount += sharedBatch) {
    const count = readCount === 0 ? limit : sharedBatch
    const due = await dueInstants(db, { among: limit, count })
    if (due.length > 0) failpoint('schedule.due')
    const rows = due.values()
    await Promise.all(Array.from({ length: concurrency }, () => handle(rows, count)))
    if (isOnlyTick || due.length < sharedBatch) break
  }
  if (!Number.isFinite(retryInMs)) return { fired, nextDueMs: await nextDueIn(db) }
  // A waiting entry stays due, so look for the next one after it.
  const laterMs = await nextDueIn(db, { later: true })
  return { fired, nextDueMs: Math.min(retryInMs, laterMs ?? retryInMs) }
}

/** Maximum recorded length of an error. */
const faultLengthMax = 500

const missedBy = ({ atMs }: FiringPlan['starts'][number], why: string): MissedTimes => ({
  fromMs: atMs,
  untilMs: atMs,
  beforeMs: undefined,
  why,
})

async function handleEntry(deps: FireDeps, row: DueRow): Promise<EntryOutcome> {
  const { db, definitions, zone } = deps
  const source = await sourceOf(deps, row)
  if (source === undefined) return { fired: 0 }
  const { dag } = definitions.parse({ ...source, fileName: source.defaultName })
  const defaultZone = row.defaultZone ?? zone
  const plan = planFirings(row, dag, defaultZone)
  const { first, starts, supersedes, nextMs } = plan
  if (first?.act === 'wait') return { fired: 0, retryInMs: first.forMs }
  if (first?.act === 'stop') {
    await stopRun(db, { runKey: first.runKey })
    report(deps, row, { dueMs: row.dueMs, act: 'stop' })
    if (first.again) return { fired: 1, retryInMs: pollMs }
  }
  const { request, fault } = requestFor(deps, row, plan, source)
  const runs = request === undefined ? [] : starts
  const ids = runs.map(() => newRunId(row.nowMs))
  const outcomes = await fireEntry(db, row, {
    starts: runs.map(({ atMs, queued }, index) => ({
      runId: ids[index] ?? '',
      atMs,
      mode: queued ? 'enqueue' : 'start',
    })),
    request,
    supersedes: supersedes && runs.length > 0,
    missed:
      fault === undefined ? plan.missed : [...plan.missed, ...starts.map((start) => missedBy(start, fault))],
    defaultZone,
    nextMs,
  })
  failpoint('schedule.moved-on')
  const stops = first === undefined ? 0 : 1
  if (outcomes === undefined) return { fired: stops, isTaken: true }
  for (const { atMs, why } of plan.passedOver) report(deps, row, { dueMs: atMs, act: 'pass over', why })
  let created = 0
  for (const [index, { atMs }] of runs.entries()) {
    if (outcomes[index]?.result === 'created') {
      created += 1
      report(deps, row, { dueMs: atMs, act: 'start', runId: ids[index] ?? '' })
    } else report(deps, row, { dueMs: atMs, act: 'pass over', why: 'its run exists' })
  }
  return { fired: stops + created }
}

function report(
  deps: FireDeps,
  { fileName, kind }: DueRow,
  outcome: Pick<Fired, 'dueMs' | 'act' | 'why' | 'runId'>,
): void {
  deps.onFired({ fileName, kind, ...outcome })
}

/** Undefined if the DAG was deleted meanwhile, and its entries with it. */
async function sourceOf({ db }: FireDeps, { fileName }: DueRow): Promise<StoredDag | undefined> {
  try {
    return await getDag(db, fileName)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}

/**
 * The common request of an entry's runs. A DAG that cannot be started (errors in its file, params that do not match
 * their schema) is skipped with an error, so it never blocks others.
 */
function requestFor(
  deps: FireDeps,
  row: DueRow,
  { starts }: FiringPlan,
  source: StoredDag,
): { readonly request?: CreateRunRequest; readonly fault?: string } {
  const [start] = starts
  if (start === undefined) return {}
  try {
    const request = requestRun(deps.definitions, source, {
      mode: 'enqueue',
      trigger: 'schedule',
      now: row.nowMs,
      singleton: false,
      scheduled: { at: start.atMs, kind: row.kind },
    })
    return { request }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    for (const { atMs } of starts) report(deps, row, { dueMs: atMs, act: 'failed', why: error.message })
    return { fault: error.message.slice(0, faultLengthMax) }
  }
}
