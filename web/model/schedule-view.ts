export type ScheduleViewName = '' | 'week' | 'past'

export const scheduleViews: readonly { readonly value: ScheduleViewName; readonly name: string }[] = [
  { value: '', name: 'Coming' },
  { value: 'week', name: 'Week' },
  { value: 'past', name: 'Past' },
]

export const viewNamed = (text: string | undefined): ScheduleViewName =>
  scheduleViews.find(({ value }) => value === text)?.value ?? ''

const day = 86_400
/** Days of the past view, and of the agenda. */
const [pastDays, aheadDays] = [2, 7]

export interface ScheduleRange {
  /** The first day of a week, as `2026-11-22`. */
  readonly first: string
  /** Equal keys mean the same query, a little later. */
  readonly key: string
  /** Seconds since 1970. */
  readonly query: { readonly from?: number; readonly to?: number; readonly limit?: number }
}

/** The range that an address asks for. @param today as `2026-11-22` */
export function scheduleRange(
  { view, from }: { readonly view: ScheduleViewName; readonly from?: string },
  today: string,
  nowMs: number,
): ScheduleRange {
  const seconds = Math.floor(nowMs / 1000)
  const first =
    /^\d{4}-\d\d-\d\d$/.test(from ?? '') && !Number.isNaN(Date.parse(from ?? '')) ? (from ?? '') : today
  if (view === 'past') return { first, key: view, query: { from: seconds - pastDays * day, to: seconds } }
  if (view === '') return { first, key: view, query: { from: seconds, to: seconds + aheadDays * day } }
  // Days begin up to 14 hours before and after those in UTC.
  const start = Date.parse(`${first}T00:00:00Z`) / 1000
  return { first, key: first, query: { from: start - day, to: start + 8 * day, limit: 1 } }
}
