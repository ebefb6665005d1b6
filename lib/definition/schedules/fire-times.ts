import { Cron } from 'croner'
import { invariant } from '#lib/core/errors.ts'
import type { ScheduleEntry } from '#lib/definition/definition.ts'
import { canonicalExpression } from './parse-cron.ts'

/**
 * When a schedule fires. All times are milliseconds since 1970 in UTC; the fields refer to local time in the zone of
 * the entry. Changes of daylight saving time: an entry without `*` and without a step in minute and hour names times of
 * day and fires once on each day: at the end of the gap if its time is skipped, at the first occurrence if its time is
 * repeated. Every other entry is a rhythm and fires whenever the local time matches: never in a gap, and in both of two
 * repeated hours.
 */

const compiledMax = 1_000
const compiled = new Map<string, Cron>()

function cronOf(entry: ScheduleEntry, defaultZone: string): Cron {
  const zone = entry.zone ?? defaultZone
  const key = `${zone} ${entry.expression}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const expression = canonicalExpression(entry.expression)
  invariant(expression !== undefined, `${JSON.stringify(entry.expression)} has not been through parseCron`)
  const cron = new Cron(expression, {
    mode: '5-part',
    timezone: zone,
    paused: true,
    fixedTimeRule: 'no-wildcard',
  })
  if (compiled.size >= compiledMax) compiled.clear()
  compiled.set(key, cron)
  return cron
}

/**
 * The first time later than `afterMs`.
 * @returns undefined when there is none, as for 30 February
 */
export function nextFire(entry: ScheduleEntry, afterMs: number, defaultZone: string): number | undefined {
  return cronOf(entry, defaultZone).nextRun(new Date(afterMs))?.getTime()
}

/**
 * The last time earlier than `beforeMs`.
 * @returns undefined when there is none
 */
export function previousFire(
  entry: ScheduleEntry,
  beforeMs: number,
  defaultZone: string,
): number | undefined {
  // croner only looks at whole seconds. Without rounding up, a time within the current second would be missed.
  const reference = new Date(Math.ceil(beforeMs / 1_000) * 1_000)
  return cronOf(entry, defaultZone).previousRuns(1, reference)[0]?.getTime()
}

/** The times after `afterMs` up to and including `untilMs`, in order, at most `limit` of them. */
export function fireTimesBetween(
  entry: ScheduleEntry,
  span: { readonly afterMs: number; readonly untilMs: number; readonly limit: number },
  defaultZone: string,
): number[] {
  const times: number[] = []
  let next = nextFire(entry, span.afterMs, defaultZone)
  while (next !== undefined && next <= span.untilMs && times.length < span.limit) {
    times.push(next)
    next = nextFire(entry, next, defaultZone)
  }
  return times
}
