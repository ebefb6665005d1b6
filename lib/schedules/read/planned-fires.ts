import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'
import type { Span } from '#lib/definition/schedules/visit-fires.ts'
import { groupEntries, visitGroup, type FireGroup, type TimedEntry } from './fire-groups.ts'
import type { Slices } from './in-slices.ts'
import { minuteMs, minuteOf, minutesOf } from './minutes.ts'

/** A time at which an entry of a DAG fires, in milliseconds since 1970. */
export interface PlannedFire {
  readonly atMs: number
  readonly fileName: string
  readonly kind: ScheduleKind
  readonly zone: string
  readonly suspended: boolean
}

export interface PlannedFires {
  /** The soonest, in order. */
  readonly fires: readonly PlannedFire[]
  /** All within the span. */
  readonly total: number
  /** DAGs that start, for each minute from the first of the span. Suspended ones do not. */
  readonly starts: Uint32Array
}

/**
 * All fires of entries within a span and later than now: counted, and the soonest of them listed. The work follows the
 * different entries, not the DAGs.
 * @param asked.limit how many are listed; 0: they are only counted
 * @throws ServiceError `service_unavailable` when there are too many
 */
export async function plannedFires(
  entries: readonly TimedEntry[],
  { span, limit, nowMs }: { readonly span: Span; readonly limit: number; readonly nowMs: number },
  inSlices: Slices,
): Promise<PlannedFires> {
  const all = new Uint32Array(minutesOf(span))
  const ahead = { fromMs: Math.max(span.fromMs, nowMs + 1), untilMs: span.untilMs }
  const groups = ahead.fromMs > ahead.untilMs ? [] : groupEntries(entries)
  const starts = new Uint32Array(all.length)
  const count = (group: FireGroup): Generator<void> => {
    const isStart = group.kind !== 'stop' && !group.suspended
    const dags = group.fileNames.length
    return visitGroup(group, ahead, (atMs) => {
      const minute = minuteOf(span, atMs)
      all[minute] = (all[minute] ?? 0) + dags
      if (isStart) starts[minute] = (starts[minute] ?? 0) + dags
    })
  }
  await inSlices(eachOf(groups, count))
  const { total, lastMinute } = cutOff(all, limit)
  if (limit === 0) return { fires: [], total, starts }
  const untilMs = (Math.floor(span.fromMs / minuteMs) + lastMinute + 1) * minuteMs - 1
  const soonest = { ...ahead, untilMs: Math.min(untilMs, ahead.untilMs) }
  const fires: PlannedFire[] = []
  await inSlices(eachOf(groups, (group) => list(group, soonest, fires)))
  return { fires: fires.toSorted(inOrder).slice(0, limit), total, starts }
}

function* eachOf(
  groups: readonly FireGroup[],
  visit: (group: FireGroup) => Generator<void>,
): Generator<void> {
  for (const group of groups) yield* visit(group)
}

/** A minute may have as many fires as there are DAGs, so some more than the limit are listed. */
function cutOff(all: Uint32Array, limit: number): { readonly total: number; readonly lastMinute: number } {
  let total = 0
  let lastMinute = all.length - 1
  for (const [minute, count] of all.entries()) {
    if (total < limit && total + count >= limit) lastMinute = minute
    total += count
  }
  return { total, lastMinute }
}

function list(group: FireGroup, span: Span, fires: PlannedFire[]): Generator<void> {
  const { kind, zone, suspended, fileNames } = group
  return visitGroup(group, span, (atMs) => {
    for (const fileName of fileNames) fires.push({ atMs, fileName, kind, zone, suspended })
  })
}

const inOrder = (one: PlannedFire, other: PlannedFire): number =>
  one.atMs - other.atMs || (one.fileName < other.fileName ? -1 : 1)
