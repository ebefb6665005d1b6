import type { ScheduleEntry } from '#lib/definition/definition.ts'
import { cronDays } from './cron-days.ts'
import { nextFire } from './fire-times.ts'
import { offsetAt, shiftsBetween } from './zone-shifts.ts'

/** Milliseconds since 1970; both ends belong to it. */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

/** Days with the same offset, and days of a change in between. */
interface Piece {
  readonly fromMs: number
  /** Exclusive. */
  readonly endMs: number
  /** Undefined: the clock is changed within it. */
  readonly offsetMs: number | undefined
}

const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * Visits all times of an entry within a span, in order: the same as `nextFire` gives, at a hundredth of its price.
 * Ordinary days follow from the fields alone; days on which the clock is changed are left to `nextFire`.
 */
export function visitFires(
  entry: ScheduleEntry,
  span: Span,
  defaultZone: string,
  visit: (atMs: number) => void,
): void {
  const zone = entry.zone ?? defaultZone
  const { hours, minutes, has } = cronDays(entry.expression)
  for (const { fromMs, endMs, offsetMs } of piecesOf(zone, span)) {
    if (offsetMs === undefined) {
      let at = nextFire(entry, fromMs - 1, zone)
      for (; at !== undefined && at < endMs; at = nextFire(entry, at, zone)) visit(at)
      continue
    }
    for (let day = localDay(fromMs, offsetMs); day - offsetMs < endMs; day += dayMs) {
      const date = new Date(day)
      if (!has(date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay())) continue
      for (const hour of hours) {
        const hourMs = day - offsetMs + hour * 60 * minuteMs
        for (const minute of minutes) {
          const at = hourMs + minute * minuteMs
          if (at >= fromMs && at < endMs) visit(at)
        }
      }
    }
  }
}

/** All times of an entry within a span, in order. */
export function firesWithin(entry: ScheduleEntry, span: Span, defaultZone: string): number[] {
  const found: number[] = []
  visitFires(entry, span, defaultZone, (at) => found.push(at))
  return found
}

/** Midnight of the day of a moment, as if local time were UTC. */
const localDay = (atMs: number, offsetMs: number): number => Math.floor((atMs + offsetMs) / dayMs) * dayMs

const pieces = new Map<string, readonly Piece[]>()
const piecesMax = 100

/** The last few are kept: many entries share a zone, and one question asks all for the same span. */
function piecesOf(zone: string, span: Span): readonly Piece[] {
  const key = `${zone} ${span.fromMs} ${span.untilMs}`
  const known = pieces.get(key)
  if (known !== undefined) return known
  const found = cutAtShifts(zone, span)
  if (pieces.size >= piecesMax) pieces.clear()
  pieces.set(key, found)
  return found
}

function cutAtShifts(zone: string, { fromMs, untilMs }: Span): Piece[] {
  const found: Piece[] = []
  const endMs = untilMs + 1
  let at = fromMs
  let offsetMs = offsetAt(zone, fromMs - 2 * dayMs)
  const add = (toMs: number, offset: number | undefined): void => {
    const end = Math.min(toMs, endMs)
    if (end > at) found.push({ fromMs: at, endMs: end, offsetMs: offset })
    at = Math.max(at, end)
  }
  // A change shortly before or after the span may concern a day that is partly within it.
  for (const { atMs, beforeMs, afterMs } of shiftsBetween(zone, fromMs - 2 * dayMs, untilMs + 2 * dayMs)) {
    add(localDay(atMs - 1, beforeMs) - beforeMs, beforeMs)
    add(localDay(atMs, afterMs) + dayMs - afterMs, undefined)
    offsetMs = afterMs
  }
  add(endMs, offsetMs)
  return found
}
