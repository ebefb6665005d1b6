/** A change of the offset of a time zone. Times are milliseconds. */
export interface ZoneShift {
  /** The first moment with the new offset, since 1970. */
  readonly atMs: number
  /** Local time minus UTC, before and after. */
  readonly beforeMs: number
  readonly afterMs: number
}

/** Shorter than any time between two changes that a zone has had in this century. */
const stepMs = 43_200_000
const formats = new Map<string, Intl.DateTimeFormat>()
const formatsMax = 500

/** Local time minus UTC at a moment, in milliseconds. @param zone IANA name */
export function offsetAt(zone: string, atMs: number): number {
  const second = Math.floor(atMs / 1000) * 1000
  const parts = formatOf(zone).formatToParts(second)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - second
}

/** The changes of the offset of a zone after `fromMs`, up to and including `untilMs`, in order. */
export function shiftsBetween(zone: string, fromMs: number, untilMs: number): ZoneShift[] {
  const shifts: ZoneShift[] = []
  let [low, beforeMs] = [fromMs, offsetAt(zone, fromMs)]
  while (low < untilMs) {
    const high = Math.min(low + stepMs, untilMs)
    const afterMs = offsetAt(zone, high)
    if (afterMs !== beforeMs) shifts.push({ atMs: firstWith(zone, afterMs, low, high), beforeMs, afterMs })
    ;[low, beforeMs] = [high, afterMs]
  }
  return shifts
}

/** The first whole second after `low` with an offset that `high` has. */
function firstWith(zone: string, offsetMs: number, low: number, high: number): number {
  let [before, after] = [Math.floor(low / 1000), Math.ceil(high / 1000)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(zone, middle * 1000) === offsetMs) after = middle
    else before = middle
  }
  return after * 1000
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= formatsMax) formats.clear()
  formats.set(zone, format)
  return format
}
