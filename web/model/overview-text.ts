/** `last`: as the list of runs calls it. */
export const periods: readonly { readonly hours: number; readonly name: string; readonly last?: string }[] = [
  { hours: 1, name: 'Last hour', last: '1h' },
  { hours: 24, name: 'Last 24 hours' },
  { hours: 168, name: 'Last 7 days', last: '7d' },
  { hours: 720, name: 'Last 30 days', last: '30d' },
]

const hoursDefault = 24

export const hoursNamed = (text: string | undefined): number =>
  periods.find(({ hours }) => String(hours) === text)?.hours ?? hoursDefault

/** Undefined: the default range of the list. */
export const lastOf = (hours: number): string | undefined =>
  periods.find((period) => period.hours === hours)?.last

/** How a count compares with that of the period before: `12 more`, `3 fewer`, `as many as before`. */
export function comparedText(count: number, before: number): string {
  if (count === before) return 'as many as before'
  const difference = Math.abs(count - before).toLocaleString('en')
  return `${difference} ${count > before ? 'more' : 'fewer'} than before`
}

/** How a run compares with the usual duration of its DAG; undefined: as usual, or unknown. */
export function slowText(ms: number, p95Ms: number | undefined): string | undefined {
  if (p95Ms === undefined || p95Ms === 0 || ms <= p95Ms) return undefined
  const times = ms / p95Ms
  return times < 1.1 ? 'slightly longer than usual' : `${times.toFixed(times < 10 ? 1 : 0)} times the usual`
}
