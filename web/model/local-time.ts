/** Formats days and times in a time zone. */
export interface LocalTime {
  /** IANA name. */
  readonly zone: string
  /** `2026-11-22` */
  readonly day: (atMs: number) => string
  /** `02:00`, in 24 hours, whatever the language. */
  readonly time: (atMs: number) => string
  /** 0 to 23 */
  readonly hour: (atMs: number) => number
}

/** @param zone that of the reader when absent */
export function localTime(zone?: string): LocalTime {
  // This locale writes dates in sortable form.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const text = (atMs: number): string => format.format(atMs)
  return {
    zone: format.resolvedOptions().timeZone,
    day: (atMs) => text(atMs).slice(0, 10),
    time: (atMs) => text(atMs).slice(11, 16),
    hour: (atMs) => Number(text(atMs).slice(11, 13)),
  }
}

/** `Sun 22 Nov`, of a day as `2026-11-22`. */
export const dayText = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
    .format(Date.parse(`${day}T00:00:00Z`))
    .replace(',', '')

/** A number of consecutive days. */
export const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const atMs = Date.parse(`${first}T00:00:00Z`) + index * 86_400_000
    return new Date(atMs).toISOString().slice(0, 10)
  })
