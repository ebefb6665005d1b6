import type { Database } from '#lib/db/client.ts'
import type { RunStatus } from '#lib/core/status.ts'
import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'
import { visitFires, type Span } from '#lib/definition/schedules/visit-fires.ts'
import { shiftsBetween, type ZoneShift } from '#lib/definition/schedules/zone-shifts.ts'
import { countFired, firedRuns, missedNotes, type MissedNote } from './past-fires.ts'
import { createSlices } from './in-slices.ts'
import { minuteOf } from './minutes.ts'
import { plannedFires } from './planned-fires.ts'
import { readEntries, type StoredEntry } from './schedule-entries.ts'
import { startHours, type StartHour } from './start-hours.ts'

/** A time of a schedule, past or to come. Times are milliseconds. */
export interface Fire {
  readonly atMs: number
  readonly fileName: string
  readonly kind: ScheduleKind
  /** IANA name; undefined of a past one, whose entry may have changed. */
  readonly zone?: string
  readonly suspended?: boolean
  readonly run?: {
    readonly dagName: string
    readonly runId: string
    readonly status: RunStatus
    readonly lateMs: number
  }
  /** Why it started no run. */
  readonly missed?: string
  /** It is due, but no tick has served it yet. */
  readonly overdue?: boolean
}

export interface ScheduleReading {
  /** Oldest first; of each side of now those nearest to it. */
  readonly fires: readonly Fire[]
  /** All of the span, on each side of now: those that started, and those to come. */
  readonly started: number
  readonly coming: number
  /** Of the hours. */
  readonly zone: string
  readonly hours: readonly StartHour[]
  /** Changes of the clock within the span, in the zones of the entries. */
  readonly clockChanges: readonly (ZoneShift & { readonly zone: string })[]
  readonly entries: readonly StoredEntry[]
}

interface Asked extends Span {
  readonly nowMs: number
  /** Fires on each side of now. */
  readonly limit: number
  readonly fileName?: string | undefined
  /** Zone of entries that name none. */
  readonly defaultZone: string
  /** Zone of the hours; undefined: that of the first entry of the one DAG, or `defaultZone`. */
  readonly zone: string | undefined
}

/** More zones than people have; their changes are not searched for beyond. */
const zonesMax = 40

/**
 * What schedules have done and will do within a span. The past is what the database knows: runs, and notes of missed
 * times. Suspended entries are shown, and counted nowhere.
 * @throws ServiceError `service_unavailable` when schedules fire too often
 */
export async function readSchedule(db: Database, asked: Asked): Promise<ScheduleReading> {
  const { fromMs, untilMs, nowMs, limit, fileName, defaultZone } = asked
  const entries = await readEntries(db, { zone: defaultZone, fileName })
  const zone = asked.zone ?? (fileName === undefined ? undefined : entries[0]?.zone) ?? defaultZone
  const {
    fires,
    total: coming,
    starts,
  } = await plannedFires(entries, { span: asked, limit, nowMs }, createSlices())
  const past = await readPast(db, asked)
  for (const { atMs, runs } of past.counts) {
    const minute = minuteOf(asked, atMs)
    starts[minute] = (starts[minute] ?? 0) + runs
  }
  const overdue = entries.filter(
    (entry) => !entry.suspended && entry.nextMs <= nowMs && entry.nextMs >= fromMs,
  )
  const zones = [...new Set(entries.map((entry) => entry.zone))].slice(0, zonesMax)
  return {
    fires: [
      ...past.fires,
      ...overdue.slice(0, limit).map(({ nextMs, ...entry }) => ({ ...fireOf(entry, nextMs), overdue: true })),
      ...fires,
    ].toSorted((one, other) => one.atMs - other.atMs),
    started: past.counts.reduce((sum, { runs }) => sum + runs, 0),
    coming,
    zone,
    hours: startHours(starts, asked, zone),
    clockChanges: zones.flatMap((name) =>
      shiftsBetween(name, fromMs, untilMs).map((shift) => ({ ...shift, zone: name })),
    ),
    entries,
  }
}

const fireOf = ({ fileName, kind, zone, suspended }: Omit<StoredEntry, 'nextMs'>, atMs: number): Fire => ({
  atMs,
  fileName,
  kind,
  zone,
  suspended,
})

async function readPast(db: Database, asked: Asked) {
  const { fromMs, nowMs, limit, fileName } = asked
  const span = { fromMs, untilMs: Math.min(asked.untilMs, nowMs), fileName, limit }
  if (span.fromMs > span.untilMs) return { fires: [], counts: [] }
  const runs = await firedRuns(db, span)
  const missed = missedFires(await missedNotes(db, span), span)
  const fires: Fire[] = runs.map(({ atMs, fileName: file, kind, ...run }) => ({
    atMs,
    fileName: file,
    kind,
    run,
  }))
  fires.push(...missed)
  return {
    fires: fires.toSorted((one, other) => other.atMs - one.atMs).slice(0, limit),
    counts: await countFired(db, span),
  }
}

/** The newest times that notes stand for; of more than a few times the limit, those of the newest notes. */
function missedFires(
  notes: readonly MissedNote[],
  { fromMs, untilMs, limit }: Span & { limit: number },
): Fire[] {
  const fires: Fire[] = []
  for (const { fileName, kind, expression, zone, why, ...note } of notes) {
    if (fires.length > 10 * limit) break
    const within = { fromMs: Math.max(fromMs, note.fromMs), untilMs: Math.min(untilMs, note.untilMs) }
    visitFires({ expression, zone }, within, zone, (atMs) => {
      fires.push({ atMs, fileName, kind, zone, missed: why })
    })
  }
  return fires
}
