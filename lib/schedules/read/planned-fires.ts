import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'
import type { Span } from '#lib/definition/schedules/visit-fires.ts'
import { groupEntries, visitGroup, type FireGroup, type TimedEntry } from './fire-groups.ts'
import type { Slices } from './in-slices.ts'
import { minuteMs, minuteOf, minutesOf } from './minutes.ts'

/** A time (milliseconds since 1970) at which an entry of a DAG fires. */
export interface PlannedFire {
  readonly atMs: number
  readonly fileName: string
  readonly kind: ScheduleKind
  readonly zone: string
  readonly suspended: boolean
}

export interface PlannedFires {
  /** The soonest fires, in order. */
  readonly fires: readonly PlannedFire[]
  /** Number of all fires within the span. */
  readonly total: number
  /** Number of starting DAGs for each minute of the span, without suspended ones. */
  readonly starts: Uint32Array
}

/**
 * Counts the future fires within a span, and lists the soonest. The cost depends on the distinct entries, not on the
 * number of DAGs.
 * @param limit maximum number of listed fires; 0: only count
 * @throws ServiceError `service_unavailable` when there are too many
 */
export async function plannedFires(
  entries: readonly TimedEntry[],
  { span, limit, nowMs }: { readonly span: Span; readonly limit: number; readonly nowMs: number },
  inSlices: Slices,
): Promise<PlannedFires> {
  const perMinute = new Uint32Array(minutesOf(span))
  const future = { fromMs: Math.max(span.fromMs, nowMs + 1), untilMs: span.untilMs }
  const groups = future.fromMs > future.untilMs ? [] : groupEntries(entries)
  const starts = new Uint32Array(perMinute.length)
  const count = (group: FireGroup): Generator<void> => {
    const isStart = group.kind !== 'stop' && !group.suspended
    const dags = group.fileNames.length
    return visitGroup(group, future, (atMs) => {
      const minute = minuteOf(span, atMs)
      perMinute[minute] = (perMinute[minute] ?? 0) + dags
      if (isStart) starts[minute] = (starts[minute] ?? 0) + dags
    })
  }
  await inSlices(eachOf(groups, count))
  const { total, lastMinute } = findLastMinute(perMinute, limit)
  if (limit === 0) return { fires: [], total, starts }
  const untilMs = (Math.floor(span.fromMs / minuteMs) + lastMinute + 1) * minuteMs - 1
  const soonest = { ...future, untilMs: Math.min(untilMs, future.untilMs) }
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

/** Finds the minute in which the limit is reached. Fires of that minute may exceed the limit. */
function findLastMinute(
  perMinute: Uint32Array,
  limit: number,
): { readonly total: number; readonly lastMinute: number } {
  let total = 0
  let lastMinute = perMinute.length - 1
  for (const [minute, count] of perMinute.entries()) {
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
