import type { ScheduleEntry, ScheduleLists } from '#lib/definition/definition.ts'
import type { ScheduleKind } from '#lib/definition/schedules/schedule-rows.ts'
import { visitFires, type Span } from '#lib/definition/schedules/visit-fires.ts'
import type { Slices } from './in-slices.ts'
import { minuteMs, minuteOf, minutesOf } from './minutes.ts'

/** A time at which a DAG fires, in milliseconds since 1970. */
export interface ChangedFire {
  readonly atMs: number
  readonly kind: ScheduleKind
  readonly zone: string
}

/** Times that a schedule change adds and removes, in order. */
export interface FireDiff {
  readonly added: readonly ChangedFire[]
  readonly removed: readonly ChangedFire[]
  /** Number of times at which both schedules fire. */
  readonly kept: number
}

const kinds = ['start', 'stop', 'restart'] as const

/** Compares the times of two schedules within a span. @param input.zone IANA zone of entries without one */
export async function diffFires(
  before: ScheduleLists,
  after: ScheduleLists,
  { zone, ...span }: Span & { readonly zone: string },
  inSlices: Slices,
): Promise<FireDiff> {
  const added: ChangedFire[] = []
  const removed: ChangedFire[] = []
  let kept = 0
  for (const kind of kinds) {
    const [old, now] = [new FireMinutes(span, zone), new FireMinutes(span, zone)]
    await inSlices(old.mark(before[kind]))
    await inSlices(now.mark(after[kind]))
    for (const minute of Array(minutesOf(span)).keys()) {
      const [was, is] = [old.at(minute), now.at(minute)]
      if (was !== undefined && is !== undefined) kept += 1
      else if (is !== undefined) added.push({ ...is, kind })
      else if (was !== undefined) removed.push({ ...was, kind })
    }
  }
  const inOrder = (fires: readonly ChangedFire[]) => fires.toSorted((one, other) => one.atMs - other.atMs)
  return { added: inOrder(added), removed: inOrder(removed), kept }
}

/** The minutes of a span in which entries fire, with the zone of the last such entry. */
class FireMinutes {
  readonly #span: Span
  readonly #defaultZone: string
  /** For each minute: 0, or 1 + the index of the zone. */
  readonly #marks: Uint16Array
  readonly #zones: string[] = []

  constructor(span: Span, defaultZone: string) {
    this.#span = span
    this.#defaultZone = defaultZone
    this.#marks = new Uint16Array(minutesOf(span))
  }

  /** Yields after each entry. */
  *mark(entries: readonly ScheduleEntry[]): Generator<void> {
    for (const entry of entries) {
      const mark = this.#zones.push(entry.zone ?? this.#defaultZone)
      visitFires(entry, this.#span, this.#defaultZone, (atMs) => {
        this.#marks[minuteOf(this.#span, atMs)] = mark
      })
      yield
    }
  }

  at(minute: number): { readonly atMs: number; readonly zone: string } | undefined {
    const zone = this.#zones[(this.#marks[minute] ?? 0) - 1]
    if (zone === undefined) return undefined
    return { atMs: (Math.floor(this.#span.fromMs / minuteMs) + minute) * minuteMs, zone }
  }
}
