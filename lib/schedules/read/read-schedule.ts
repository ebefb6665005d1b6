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

/** A past or future time of a schedule. Times are milliseconds since 1970; `lateMs` is a duration. */
export interface Fire {
  readonly atMs: number
  readonly fileName: string
  readonly kind: ScheduleKind
  /** IANA name; undefined for past times, whose entry may have changed. */
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
  /** It is due, but no tick has handled it yet. */
  readonly overdue?: boolean
}

export interface ScheduleReading {
  /** Oldest first. Before and after now, those nearest to now. */
  readonly fires: readonly Fire[]
  /** Number of all starts before now, and of all fires after now, within the span. */
  readonly started: number
  readonly coming: number
  /** Zone of `hours`. */
  readonly zone: string
  readonly hours: readonly StartHour[]
  /** Daylight-saving changes within the span, in the zones of the entries. */
  readonly clockChanges: readonly (ZoneShift & { readonly zone: string })[]
  readonly entries: readonly StoredEntry[]
}

interface Query extends Span {
  readonly nowMs: number
  /** Maximum number of fires on each side of now. */
  readonly limit: number
  readonly fileName?: string | undefined
  /** Zone of entries without one. */
  readonly defaultZone: string
  /** Zone of the hours; undefined: that of the first entry of `fileName`, or `defaultZone`. */
  readonly zone: string | undefined
}

/** Maximum number of zones searched for clock changes; more than any real deployment has. */
const zonesMax = 40

/**
 * The past and future times of schedules within a span. The past consists of stored runs and recorded missed times.
 * Suspended entries are listed, but not counted as starts.
 * @throws ServiceError `service_unavailable` when schedules fire too often
 */
export async function readSchedule(db: Database, query: Query): Promise<ScheduleReading> {
  const { fromMs, untilMs, nowMs, limit, fileName, defaultZone } = query
  const entries = await readEntries(db, { zone: defaultZone, fileName })
  const zone = query.zone ?? (fileName === undefined ? undefined : entries[0]?.zone) ?? defaultZone
  const {
    fires,
    total: coming,
    starts,
  } = await plannedFires(entries, { span: query, limit, nowMs }, createSlices())
  const past = await readPast(db, query)
  for (const { atMs, runs } of past.counts) {
    const minute = minuteOf(query, atMs)
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
    hours: startHours(starts, query, zone),
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

async function readPast(db: Database, query: Query) {
  const { fromMs, nowMs, limit, fileName } = query
  const span = { fromMs, untilMs: Math.min(query.untilMs, nowMs), fileName, limit }
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

/** Expands records into times. Stops at about ten times the limit, so that only the newest records are expanded. */
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
