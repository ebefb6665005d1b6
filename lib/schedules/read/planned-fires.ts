import { setImmediate } from 'node:timers/promises'
import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'
import type { Span } from '#lib/definition/schedules/visit-fires.ts'
import { groupEntries, visitGroup, type FireGroup, type TimedEntry } from './fire-groups.ts'

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

const minuteMs = 60_000
/** After so long others get a turn. */
const sliceMs = 10

/** The number of minutes of a span. */
export const minutesOf = ({ fromMs, untilMs }: Span): number =>
  Math.floor(untilMs / minuteMs) - Math.floor(fromMs / minuteMs) + 1

/** Which minute of a span a moment is in. */
export const minuteOf = ({ fromMs }: Span, atMs: number): number =>
  Math.floor(atMs / minuteMs) - Math.floor(fromMs / minuteMs)

/**
 * All fires of entries within a span and later than now: counted, and the soonest of them listed. The work follows the
 * different schedules, not the DAGs. It is done in slices, so that other calls are answered meanwhile.
 */
export async function plannedFires(
  entries: readonly TimedEntry[],
  span: Span,
  limit: number,
  nowMs: number,
): Promise<PlannedFires> {
  const all = new Uint32Array(minutesOf(span))
  const ahead = { fromMs: Math.max(span.fromMs, nowMs + 1), untilMs: span.untilMs }
  const groups = ahead.fromMs > ahead.untilMs ? [] : groupEntries(entries)
  const starts = new Uint32Array(all.length)
  await inSlices(groups, (group) => {
    const isStart = group.kind !== 'stop' && !group.suspended
    const dags = group.fileNames.length
    visitGroup(group, ahead, (atMs) => {
      const minute = minuteOf(span, atMs)
      all[minute] = (all[minute] ?? 0) + dags
      if (isStart) starts[minute] = (starts[minute] ?? 0) + dags
    })
  })
  const { total, lastMinute } = cutOff(all, limit)
  const untilMs = (Math.floor(span.fromMs / minuteMs) + lastMinute + 1) * minuteMs - 1
  const fires: PlannedFire[] = []
  await inSlices(groups, (group) =>
    list(group, { ...ahead, untilMs: Math.min(untilMs, ahead.untilMs) }, fires),
  )
  return { fires: fires.toSorted(inOrder).slice(0, limit), total, starts }
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

function list({ fileNames, ...group }: FireGroup, span: Span, fires: PlannedFire[]): void {
  const { kind, zone, suspended } = group
  visitGroup({ ...group, fileNames }, span, (atMs) => {
    for (const fileName of fileNames) fires.push({ atMs, fileName, kind, zone, suspended })
  })
}

const inOrder = (one: PlannedFire, other: PlannedFire): number =>
  one.atMs - other.atMs || (one.fileName < other.fileName ? -1 : 1)

async function inSlices<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  let sinceMs = performance.now()
  for (const item of items) {
    visit(item)
    if (performance.now() - sinceMs < sliceMs) continue
    await setImmediate()
    sinceMs = performance.now()
  }
}
