import type { ScheduleEntry } from '#lib/definition/definition.ts'

export type CronReading = { readonly entry: ScheduleEntry } | { readonly fault: string }

interface Field {
  readonly name: string
  readonly low: number
  readonly high: number
  /** Names of the numbers from `low` on. */
  readonly names: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const fields: readonly Field[] = [
  { name: 'minute', low: 0, high: 59, names: [] },
  { name: 'hour', low: 0, high: 23, names: [] },
  { name: 'day of month', low: 1, high: 31, names: [] },
  { name: 'month', low: 1, high: 12, names: months },
  { name: 'day of week', low: 0, high: 7, names: weekdays },
]

/** Words for whole schedules, in lower case. */
export const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const textLengthMax = 512

/**
 * Parses one schedule: five fields (minute, hour, day of month, month, day of week) with lists, ranges, steps and
 * English three-letter names, and an optional time zone (`CRON_TZ=Europe/Berlin 30 6 * * mon-fri`). Never throws: a
 * fault is returned as a sentence for the author of the file.
 */
export function parseCron(text: string): CronReading {
  if (text.length > textLengthMax) return { fault: `a schedule has at most ${textLengthMax} characters` }
  const words = text.trim().split(/\s+/)
  const prefix = /^(?:CRON_TZ|TZ)=(.*)$/.exec(words[0] ?? '')
  const zone = prefix?.[1]
  if (zone !== undefined && !isZone(zone)) {
    return { fault: `unknown time zone ${JSON.stringify(zone)}, use a name such as Europe/Berlin` }
  }
  const parts = zone === undefined ? words.filter((word) => word !== '') : words.slice(1)
  const first = parts[0] ?? ''
  if (first.startsWith('@')) return { fault: descriptorFault(first) }
  if (parts.length !== fields.length) {
    const hint = parts.length === 6 ? ' (seconds are not offered)' : ''
    return { fault: `expected exactly 5 fields, found ${parts.length}${hint}: ${JSON.stringify(text)}` }
  }
  for (const [position, field] of fields.entries()) {
    const reading = readField(field, parts[position] ?? '')
    if ('fault' in reading) return reading
  }
  return { entry: { expression: parts.join(' '), zone } }
}

/**
 * The same schedule in the notation of croner: lower case, `*` for `?`, and a range instead of a step on a single
 * number.
 * @returns undefined for an expression that `parseCron` does not accept
 */
export function canonicalExpression(expression: string): string | undefined {
  const parts = expression.split(' ')
  const written: string[] = []
  for (const [position, field] of fields.entries()) {
    const reading = readField(field, parts[position] ?? '')
    if ('fault' in reading) return undefined
    written.push(reading.canonical)
  }
  return written.join(' ')
}

/** Whether a text is the IANA name of a time zone. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function descriptorFault(word: string): string {
  const fields = descriptors[word.toLowerCase()]
  if (fields !== undefined) return `${word} is not offered, write "${fields}"`
  if (/^@every/i.test(word))
    return `${word} is not offered, write a step, such as "*/5 * * * *" for every five minutes`
  return `${word} is not offered, write five fields: minute hour day month weekday`
}

type FieldReading = { readonly canonical: string } | { readonly fault: string }

function readField(field: Field, text: string): FieldReading {
  const written: string[] = []
  for (const item of text.split(',')) {
    const reading = readItem(field, item)
    if ('fault' in reading) return { fault: `${field.name}: ${reading.fault}` }
    written.push(reading.canonical)
  }
  return { canonical: written.includes('*') ? '*' : written.join(',') }
}

function readItem(field: Field, item: string): FieldReading {
  if (item === '') return { fault: 'an empty entry' }
  const [range = '', step, ...rest] = item.split('/')
  if (rest.length > 0) return { fault: `${JSON.stringify(item)} has more than one step` }
  if (step !== undefined && !/^0*[1-9]\d{0,3}$/.test(step)) {
    return { fault: `${JSON.stringify(item)} needs a whole number from 1 on behind the slash` }
  }
  const bounds = readRange(field, range)
  if ('fault' in bounds) return bounds
  const by = step === undefined ? undefined : Number(step)
  const all = range === '*' || range === '?'
  if (by === undefined) {
    if (all || isWhole(field, bounds)) return { canonical: '*' }
    return { canonical: bounds.from === bounds.to ? `${bounds.from}` : `${bounds.from}-${bounds.to}` }
  }
  if (all && by === 1) return { canonical: '*' }
  const to = all || range.includes('-') ? bounds.to : field.high
  if (bounds.from + by > to) return { canonical: `${bounds.from}` }
  return { canonical: all ? `*/${by}` : `${bounds.from}-${to}/${by}` }
}

/**
 * Whether the field covers all minutes, hours or months. Not for days, where a star changes how the two day fields
 * combine.
 */
function isWhole(field: Field, bounds: { readonly from: number; readonly to: number }): boolean {
  return !field.name.startsWith('day') && bounds.from === field.low && bounds.to === field.high
}

type Bounds = { readonly from: number; readonly to: number } | { readonly fault: string }

function readRange(field: Field, range: string): Bounds {
  if (range === '*' || range === '?') return { from: field.low, to: field.high }
  const ends = range.split('-')
  if (ends.length > 2) return { fault: `${JSON.stringify(range)} is not a range` }
  const from = readNumber(field, ends[0] ?? '')
  if (typeof from === 'object') return from
  if (ends.length === 1) return { from, to: from }
  const to = readNumber(field, ends[1] ?? '')
  if (typeof to === 'object') return to
  // A range may end on Sunday: sat-sun is 6-7.
  const last = to === 0 && field.names === weekdays && from > 0 ? 7 : to
  if (from > last) return { fault: `${JSON.stringify(range)} begins after its end` }
  return { from, to: last }
}

function readNumber(field: Field, word: string): number | { readonly fault: string } {
  const named = field.names.indexOf(word.toLowerCase())
  if (named >= 0) return named + field.low
  const number = /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN
  if (number >= field.low && number <= field.high) return number
  const names = field.names.length === 0 ? '' : ` or a name such as ${field.names[1]}`
  return { fault: `${JSON.stringify(word)} is not a number from ${field.low} to ${field.high}${names}` }
}
