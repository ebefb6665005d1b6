import { Cron } from 'croner'
import { invariant } from '#lib/core/errors.ts'
import type { ScheduleEntry } from '#lib/definition/definition.ts'
import { canonicalExpression } from './parse-cron.ts'

/**
 * When a schedule fires. All times are milliseconds since 1970 in UTC; the fields are read on the clocks of the
 * entry's zone. Where those clocks are changed, an entry whose minute and hour hold no `*` and no step names times
 * of day: it fires once on each day, at the end of the gap if its time is skipped and the first time round if its
 * time comes twice. Every other entry names a rhythm: it fires at each instant whose clock reading matches, so
 * never within a gap and in both of two repeated hours.
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
 * The first time after `afterMs`, never that instant itself.
 * @returns undefined when there is none, as for 30 February.
 */
export function nextFire(entry: ScheduleEntry, afterMs: number, defaultZone: string): number | undefined {
  return cronOf(entry, defaultZone).nextRun(new Date(afterMs))?.getTime()
}

/**
 * The last time before `beforeMs`, never that instant itself.
 * @returns undefined when there is none.
 */
export function previousFire(
  entry: ScheduleEntry,
  beforeMs: number,
  defaultZone: string,
): number | undefined {
  // croner looks at whole seconds only: without rounding up, a time within the running second would be passed over.
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
