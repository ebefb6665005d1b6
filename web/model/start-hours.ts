import { daysFrom } from './local-time.ts'

/** An hour with starts, as the API has it. */
export interface StartHour {
  readonly day: string
  readonly hour: number
  readonly starts: number
  readonly peak: number
  readonly peakAt: string
}

/** The hours of the days from one on, by day and hour. */
export function weekOf(
  hours: readonly StartHour[],
  first: string,
  count = 7,
): { readonly days: readonly string[]; readonly at: (day: string, hour: number) => StartHour | undefined } {
  const found = new Map(hours.map((hour) => [`${hour.day} ${hour.hour}`, hour]))
  return { days: daysFrom(first, count), at: (day, hour) => found.get(`${day} ${hour}`) }
}

/** 0 to 23 */
export const hoursOfDay = (): number[] => Array.from({ length: 24 }, (_, hour) => hour)

export interface HeatRow {
  /** The first day of the week. */
  readonly day: string
  /** Starts of each hour, all days of the week together. */
  readonly starts: readonly number[]
}

/** Weeks from a day on, each with its 24 hours. */
export function heatRows(hours: readonly StartHour[], first: string, weeks: number): HeatRow[] {
  return Array.from({ length: weeks }, (_, index) => {
    const days = daysFrom(first, 7 * weeks).slice(7 * index, 7 * index + 7)
    const starts = hoursOfDay().map(() => 0)
    for (const { day, hour, starts: count } of hours) {
      if (days.includes(day)) starts[hour] = (starts[hour] ?? 0) + count
    }
    return { day: days[0] ?? first, starts }
  })
}

/** How dark a cell is, 0 to 4: nothing, and quarters of the most. */
export const shadeOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(1, Math.ceil((4 * count) / Math.max(1, most)))
