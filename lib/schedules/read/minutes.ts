import type { Span } from '#lib/definition/schedules/visit-fires.ts'

export const minuteMs = 60_000

/** The number of minutes of a span. */
export const minutesOf = ({ fromMs, untilMs }: Span): number =>
  Math.floor(untilMs / minuteMs) - Math.floor(fromMs / minuteMs) + 1

/** The index of the minute of a span that contains a time. */
export const minuteOf = ({ fromMs }: Span, atMs: number): number =>
  Math.floor(atMs / minuteMs) - Math.floor(fromMs / minuteMs)
