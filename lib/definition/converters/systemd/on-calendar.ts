import { parseCron } from '#lib/definition/schedules/parse-cron.ts'

/** A schedule of five fields, or why cron knows none. */
export type CalendarReading =
  | { readonly schedule: string; readonly notes: readonly string[] }
  | { readonly fault: string }

/** Words of systemd for whole schedules. */
const words: Readonly<Record<string, string>> = {
  minutely: '* * * * *',
  hourly: '0 * * * *',
  daily: '0 0 * * *',
  weekly: '0 0 * * 1',
  monthly: '0 0 1 * *',
  quarterly: '0 0 1 1,4,7,10 *',
  semiannually: '0 0 1 1,7 *',
  yearly: '0 0 1 1 *',
  annually: '0 0 1 1 *',
}

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const textLengthMax = 256

/** Converts the value of `OnCalendar=` (systemd.time(7)). Never throws. */
export function readOnCalendar(text: string): CalendarReading {
  if (text.length > textLengthMax) return { fault: `OnCalendar has at most ${textLengthMax} characters` }
  const parts = text.trim().split(/\s+/)
  const zone = isZone(parts.at(-1) ?? '') ? parts.pop() : undefined
  const reading = fieldsOf(parts)
  if ('fault' in reading) return { fault: `OnCalendar=${text}: ${reading.fault}` }
  const schedule = zone === undefined ? reading.fields : `CRON_TZ=${zone} ${reading.fields}`
  const checked = parseCron(schedule)
  return 'fault' in checked
    ? { fault: `OnCalendar=${text}: ${checked.fault}` }
    : { schedule, notes: reading.notes }
}

const isZone = (word: string): boolean => /^(?:UTC|GMT|[A-Z][A-Za-z_]+\/[\w/+-]+)$/.test(word)

interface Fields {
  readonly fields: string
  readonly notes: readonly string[]
}

function fieldsOf(parts: readonly string[]): Fields | { readonly fault: string } {
  const word = words[(parts[0] ?? '').toLowerCase()]
  if (word !== undefined && parts.length === 1) return { fields: word, notes: [] }
  const rest = [...parts]
  const weekdays = /^[A-Za-z]/.test(rest[0] ?? '') ? weekdayField(rest.shift() ?? '') : '*'
  if (weekdays === undefined) return { fault: 'not a list of weekdays' }
  const date = rest[0]?.includes('-') === true && !rest[0].includes(':') ? (rest.shift() ?? '') : '*-*-*'
  const time = rest.shift() ?? '00:00:00'
  if (rest.length > 0) return { fault: 'not days, a date and a time' }
  if (date.includes('~')) return { fault: 'cron cannot count days from the end of a month' }
  const [day = '', month = '', year = '*', ...tooMany] = date.split('-').toReversed()
  const [hour = '', minute = '', second = '0', ...more] = time.split(':')
  if (tooMany.length > 0 || more.length > 0 || minute === '') return { fault: 'not a date and a time' }
  if (year !== '*') return { fault: 'cron has no years' }
  const dayField = numberField(day)
  if (weekdays !== '*' && dayField !== '*')
    return { fault: 'cron runs on either when a weekday and a day of the month are given, systemd on both' }
  if (!/^\d+(?:\.\d+)?$/.test(second)) return { fault: 'cron has no seconds' }
  const fields = [minute, hour].map(numberField)
  return {
    fields: [...fields, dayField, numberField(month), weekdays].join(' '),
    notes: Number(second) === 0 ? [] : [`the seconds of OnCalendar (:${second}) are left out`],
  }
}

/** `Mon..Fri,Sun`; a range may go over the end of the week. */
function weekdayField(text: string): string | undefined {
  const found: number[] = []
  for (const piece of text.replace(/,$/, '').split(',')) {
    const ends = piece.split(/\.\.|-/).map((name) => days.indexOf(name.slice(0, 3).toLowerCase()))
    const [first = -1, last = first] = ends
    if (ends.length > 2 || ends.includes(-1)) return undefined
    for (let day = first; ; day = (day + 1) % 7) {
      found.push(day)
      if (day === last) break
    }
  }
  return [...new Set(found)].toSorted((a, b) => a - b).join(',')
}

/** Lists, ranges (`1..5`) and steps (`0/15`) are those of cron, but for the two points and leading zeros. */
function numberField(text: string): string {
  return text
    .split(',')
    .map((piece) => piece.replace('..', '-').replaceAll(/\d+/g, (digits) => String(Number(digits))))
    .map((piece) => (piece.startsWith('*/1') && piece === '*/1' ? '*' : piece))
    .join(',')
}
