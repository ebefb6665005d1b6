import { shiftsBetween, offsetAt } from '#lib/definition/schedules/zone-shifts.ts'
import type { Span } from '#lib/definition/schedules/visit-fires.ts'

/** An hour of local time with starts. */
export interface StartHour {
  /** `2026-11-22` */
  readonly day: string
  /** 0 to 23. When the clock is set back, covers both passes of the repeated hour. */
  readonly hour: number
  readonly starts: number
  /** The minute with the most starts (milliseconds since 1970), and their number. */
  readonly peakMs: number
  readonly peak: number
}

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** Sums starts by hour of a zone. @param starts number of starts for each minute of the span */
export function startHours(starts: Uint32Array, span: Span, zone: string): StartHour[] {
  const shifts = shiftsBetween(zone, span.fromMs, span.untilMs)
  const hours = new Map<number, { starts: number; peakMs: number; peak: number }>()
  let offsetMs = offsetAt(zone, span.fromMs)
  let atMs = Math.floor(span.fromMs / minuteMs) * minuteMs - minuteMs
  for (const count of starts) {
    atMs += minuteMs
    while (shifts[0] !== undefined && shifts[0].atMs <= atMs) offsetMs = shifts.shift()?.afterMs ?? offsetMs
    if (count === 0) continue
    const hour = Math.floor((atMs + offsetMs) / hourMs)
    const sums = hours.get(hour) ?? { starts: 0, peakMs: atMs, peak: 0 }
    const isPeak = count > sums.peak
    hours.set(hour, {
      starts: sums.starts + count,
      peakMs: isPeak ? atMs : sums.peakMs,
      peak: isPeak ? count : sums.peak,
    })
  }
  return [...hours]
    .toSorted(([one], [other]) => one - other)
    .map(([hour, counts]) => ({
      day: new Date(hour * hourMs).toISOString().slice(0, 10),
      hour: ((((hour * hourMs) % dayMs) + dayMs) % dayMs) / hourMs,
      ...counts,
    }))
}
