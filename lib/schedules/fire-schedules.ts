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

export interface FireParts {
  readonly db: Database
  readonly definitions: DefinitionReader
  /** Zone of entries that name none, and do not know in which they were computed. */
  readonly zone: string
  /** Entries that are looked at in one pass. */
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

interface Served {
  readonly fired: number
  /** Milliseconds after which the entry is to be looked at again. */
  readonly comeBackMs?: number
  /** Another tick is at the entry or was quicker, or its DAG has changed. */
  readonly isMissed?: boolean
}

/** Entries that are served at the same time: their commits share a sync of the disk. */
const atOnce = 8

/** Beside other ticks entries are looked up a few at a time, so that what they have served is not retried. */
const lookUpMax = 32

const pollMs = 500

/**
 * Does what is due. The runs of an entry are made and the entry is moved on in one statement, which does nothing when
 * another tick is at it or was quicker: any number of ticks share the work and make each run once.
 * @returns how many instants did something, and milliseconds until the next is due; undefined when none is known
 */
export async function fireSchedules(
  parts: FireParts,
): Promise<{ fired: number; nextDueMs: number | undefined }> {
  const { db, limit } = parts
  let fired = 0
  let comeBackMs = Number.POSITIVE_INFINITY
  let isAlone = true
  const serve = async (rows: Iterable<DueRow>, count: number): Promise<void> => {
    for (const row of rows) {
      const outcome = await serveEntry(parts, row)
      fired += outcome.fired
      comeBackMs = Math.min(comeBackMs, outcome.comeBackMs ?? comeBackMs)
      isAlone &&= outcome.isMissed !== true
      if (!isAlone && count > lookUpMax) return
    }
  }
  for (let looked = 0; looked <= limit; looked += lookUpMax) {
    const count = looked === 0 ? limit : lookUpMax
    const due = await dueInstants(db, { among: limit, count })
    if (due.length > 0) failpoint('schedule.due')
    const rows = due.values()
    await Promise.all(Array.from({ length: atOnce }, () => serve(rows, count)))
    if (isAlone || due.length < lookUpMax) break
  }
  if (!Number.isFinite(comeBackMs)) return { fired, nextDueMs: await nextDueIn(db) }
  // The entry that waits for something is due all the time.
  const laterMs = await nextDueIn(db, { later: true })
  return { fired, nextDueMs: Math.min(comeBackMs, laterMs ?? comeBackMs) }
}

/** Characters of a fault that are noted. */
const faultLengthMax = 500

const missedBy = ({ atMs }: FiringPlan['starts'][number], why: string): MissedTimes => ({
  fromMs: atMs,
  untilMs: atMs,
  beforeMs: undefined,
  why,
})

async function serveEntry(parts: FireParts, row: DueRow): Promise<Served> {
  const { db, definitions, zone } = parts
  const source = await sourceOf(parts, row)
  if (source === undefined) return { fired: 0 }
  const { dag } = definitions.parse({ ...source, fileName: source.defaultName })
  const defaultZone = row.defaultZone ?? zone
  const plan = planFirings(row, dag, defaultZone)
  const { first, starts, supersedes, nextMs } = plan
  if (first?.act === 'wait') return { fired: 0, comeBackMs: first.forMs }
  if (first?.act === 'stop') {
    await stopRun(db, { runKey: first.runKey })
    tell(parts, row, { dueMs: row.dueMs, act: 'stop' })
    if (first.again) return { fired: 1, comeBackMs: pollMs }
  }
  const { request, fault } = requestFor(parts, row, plan, source)
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
  if (outcomes === undefined) return { fired: stops, isMissed: true }
  for (const { atMs, why } of plan.passedOver) tell(parts, row, { dueMs: atMs, act: 'pass over', why })
  let made = 0
  for (const [index, { atMs }] of runs.entries()) {
    if (outcomes[index]?.result === 'created') {
      made += 1
      tell(parts, row, { dueMs: atMs, act: 'start', runId: ids[index] ?? '' })
    } else tell(parts, row, { dueMs: atMs, act: 'pass over', why: 'its run exists' })
  }
  return { fired: stops + made }
}

function tell(
  parts: FireParts,
  { fileName, kind }: DueRow,
  outcome: Pick<Fired, 'dueMs' | 'act' | 'why' | 'runId'>,
): void {
  parts.tell({ fileName, kind, ...outcome })
}

/** A DAG that has gone meanwhile is passed over, and its entries with it. */
async function sourceOf({ db }: FireParts, { fileName }: DueRow): Promise<StoredDag | undefined> {
  try {
    return await getDag(db, fileName)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}

/**
 * What the runs of an entry share. A DAG that cannot be started (its file was spoilt, its params do not fit) is passed
 * over, never in the way of others.
 */
function requestFor(
  parts: FireParts,
  row: DueRow,
  { starts }: FiringPlan,
  source: StoredDag,
): { readonly request?: CreateRunRequest; readonly fault?: string } {
  const [start] = starts
  if (start === undefined) return {}
  try {
    const request = requestRun(parts.definitions, source, {
      mode: 'enqueue',
      trigger: 'schedule',
      now: row.nowMs,
      singleton: false,
      scheduled: { at: start.atMs, kind: row.kind },
    })
    return { request }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    for (const { atMs } of starts) tell(parts, row, { dueMs: atMs, act: 'failed', why: error.message })
    return { fault: error.message.slice(0, faultLengthMax) }
  }
}
