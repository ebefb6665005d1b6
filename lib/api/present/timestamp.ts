/** The text of each day that was written, by its number since 1970: `toISOString` takes longer than all else here. */
const days = new Map<number, string>()
const daysMax = 1_000
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** The time from start to end in milliseconds; no field before the end. */
export function durationMs({
  startedAt,
  finishedAt,
}: {
  readonly startedAt?: number | undefined
  readonly finishedAt?: number | undefined
}): { durationMs?: number } {
  if (startedAt === undefined || finishedAt === undefined) return {}
  return { durationMs: Math.max(0, Math.round(finishedAt - startedAt)) }
}

/**
 * The given times in whole milliseconds since 1970, beside those in seconds; no field for those that there are none of.
 */
export function inMs<Name extends string>(
  times: Readonly<Record<Name, number | undefined>>,
): { [Key in `${Name}Ms`]?: number } {
  const known = Object.entries<number | undefined>(times).filter(([, ms]) => ms !== undefined)
  return Object.fromEntries(known.map(([name, ms]) => [`${name}Ms`, Math.floor(ms ?? 0)])) as {
    [Key in `${Name}Ms`]?: number
  }
}

/**
 * A point in time as the API writes it: RFC 3339 in UTC, to the second; empty when there is none.
 * @param ms milliseconds since 1970
 */
export function timestamp(ms: number | undefined): string {
  if (ms === undefined) return ''
  const second = Math.floor(ms / 1_000)
  const day = Math.floor(second / 86_400)
  const ofDay = second - day * 86_400
  const [hours, minutes, seconds] = [Math.floor(ofDay / 3_600), Math.floor(ofDay / 60) % 60, ofDay % 60]
  return `${textOfDay(day)}T${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[seconds]}Z`
}

function textOfDay(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  if (days.size >= daysMax) days.clear()
  const text = new Date(day * 86_400_000).toISOString().slice(0, -'T00:00:00.000Z'.length)
  days.set(day, text)
  return text
}
