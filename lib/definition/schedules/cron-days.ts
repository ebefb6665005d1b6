import { invariant } from '#lib/core/errors.ts'
import { canonicalExpression } from './parse-cron.ts'

/** What an expression says of ordinary days, on which no clock is changed. */
export interface CronDays {
  /** Both ascending: it fires at each of these minutes of each of these hours. */
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  /** Whether it fires on a day of the calendar. @param month from 1 @param weekday 0: Sunday */
  readonly has: (day: number, month: number, weekday: number) => boolean
}

const known = new Map<string, CronDays>()
const knownMax = 20_000

/** @param expression that parseCron has accepted */
export function cronDays(expression: string): CronDays {
  const kept = known.get(expression)
  if (kept !== undefined) return kept
  const days = readDays(expression)
  if (known.size >= knownMax) known.clear()
  known.set(expression, days)
  return days
}

function readDays(expression: string): CronDays {
  const canonical = canonicalExpression(expression)
  invariant(canonical !== undefined, `${JSON.stringify(expression)} has not been through parseCron`)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = canonical.split(' ')
  const days = numbersOf(day, 1, 31)
  const months = numbersOf(month, 1, 12)
  const weekdays = new Set([...numbersOf(weekday, 0, 6)].map((number) => number % 7))
  // As everywhere with cron: where both are given, either suffices.
  const isEither = day !== '*' && weekday !== '*'
  return {
    hours: ascending(numbersOf(hour, 0, 23)),
    minutes: ascending(numbersOf(minute, 0, 59)),
    has: (d, m, w) =>
      months.has(m) && (isEither ? days.has(d) || weekdays.has(w) : days.has(d) && weekdays.has(w)),
  }
}

const ascending = (numbers: ReadonlySet<number>): number[] =>
  [...numbers].toSorted((one, other) => one - other)

/** The numbers of a field in canonical notation; `last` is that of a star. */
function numbersOf(field: string, first: number, last: number): ReadonlySet<number> {
  const found = new Set<number>()
  for (const item of field.split(',')) {
    const [range = '', step = '1'] = item.split('/')
    const [from = '', to = from] = range.split('-')
    const [low, high] = range === '*' ? [first, last] : [Number(from), Number(to)]
    for (let number = low; number <= high; number += Number(step)) found.add(number)
  }
  return found
}
