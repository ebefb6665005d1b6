import type { ScheduleEntry, ScheduleLists } from '#lib/definition/definition.ts'
import type { ScheduleKind } from './schedule-rows.ts'
import { visitFires, type Span } from './visit-fires.ts'

/** A time at which a DAG fires, in milliseconds since 1970. */
export interface ChangedFire {
  readonly atMs: number
  readonly kind: ScheduleKind
  readonly zone: string
}

/** Both in order. */
export interface FireDiff {
  readonly added: readonly ChangedFire[]
  readonly removed: readonly ChangedFire[]
  /** Times at which it fires before and after. */
  readonly kept: number
}

/** Which times of a span another schedule adds and removes. @param defaultZone of entries that name none */
export function diffFires(
  before: ScheduleLists,
  after: ScheduleLists,
  span: Span,
  defaultZone: string,
): FireDiff {
  const [old, now] = [before, after].map((lists) => firesOf(lists, span, defaultZone))
  const missing = (from: typeof old, other: typeof old): ChangedFire[] =>
    [...(from ?? [])]
      .flatMap(([key, fire]) => (other?.has(key) ? [] : [fire]))
      .toSorted((one, next) => one.atMs - next.atMs)
  const removed = missing(old, now)
  return { added: missing(now, old), removed, kept: (old?.size ?? 0) - removed.length }
}

function firesOf(lists: ScheduleLists, span: Span, defaultZone: string): Map<string, ChangedFire> {
  const fires = new Map<string, ChangedFire>()
  for (const kind of ['start', 'stop', 'restart'] as const) {
    for (const entry of lists[kind]) addFires(fires, entry, { kind, span, defaultZone })
  }
  return fires
}

function addFires(
  fires: Map<string, ChangedFire>,
  entry: ScheduleEntry,
  { kind, span, defaultZone }: { kind: ScheduleKind; span: Span; defaultZone: string },
): void {
  const zone = entry.zone ?? defaultZone
  visitFires(entry, span, defaultZone, (atMs) => fires.set(`${kind} ${atMs}`, { atMs, kind, zone }))
}
