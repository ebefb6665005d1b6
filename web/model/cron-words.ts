const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** The most times of day that are listed one by one. */
const timesMax = 6

/**
 * A cron expression in words: `every 5 minutes`, `at 02:30 on Monday to Friday`. An unusual one is
 * described field by field.
 */
export function cronWords(expression: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.toLowerCase().split(' ')
  const when = dayWords(day, weekday)
  const words = [timeWords(minute, hour), when, isAll(month) ? '' : `in ${nameWords(month, months, 1)}`]
  return words.filter((word) => word !== '').join(' ')
}

const isAll = (field: string): boolean => field === '*' || field === '?' || field === '*/1'

function timeWords(minute: string, hour: string): string {
  if (isAll(hour)) {
    if (isAll(minute)) return 'every minute'
    const step = stepOf(minute)
    if (step !== undefined) return `every ${step} minutes`
    return `at ${listWords(minute, 'minute')} of every hour`
  }
  const times = timesOf(minute, hour)
  if (times !== undefined) return `at ${listed(times)}`
  const hours = stepOf(hour)
  if (hours !== undefined && /^\d+$/.test(minute)) {
    return Number(minute) === 0 ? `every ${hours} hours` : `every ${hours} hours, at minute ${Number(minute)}`
  }
  const ofHours = hours === undefined ? `in ${listWords(hour, 'hour')}` : `of every ${ordinal(hours)} hour`
  if (isAll(minute)) return `every minute ${ofHours}`
  const step = stepOf(minute)
  return step === undefined
    ? `at ${listWords(minute, 'minute')} ${ofHours}`
    : `every ${step} minutes ${ofHours}`
}

/** Times of day, where both fields are few numbers. */
function timesOf(minute: string, hour: string): string[] | undefined {
  const [minutes, hours] = [minute, hour].map((field) => field.split(','))
  if (minutes === undefined || hours === undefined || minutes.length * hours.length > timesMax)
    return undefined
  if (![...minutes, ...hours].every((number) => /^\d+$/.test(number))) return undefined
  return hours.flatMap((h) => minutes.map((m) => `${h.padStart(2, '0')}:${m.padStart(2, '0')}`))
}

function dayWords(day: string, weekday: string): string {
  const ofMonth = isAll(day) ? '' : `on ${listWords(day, 'day')} of the month`
  const ofWeek = isAll(weekday) ? '' : `on ${nameWords(weekday, weekdays, 0)}`
  return ofMonth !== '' && ofWeek !== '' ? `${ofMonth} or ${ofWeek}` : ofMonth + ofWeek
}

/** Numbers or names in three letters, as names in full. */
function nameWords(field: string, names: readonly string[], first: number): string {
  const nameOf = (word: string): string =>
    names.find((name) => name.slice(0, 3).toLowerCase() === word) ??
    names[(Number(word) - first) % names.length] ??
    word
  const items = field.split(',').map((item) => {
    const [range = '', step] = item.split('/')
    const ends = range.split('-').map(nameOf)
    const all = isAll(range) ? `every ${names.length === 7 ? 'day' : 'month'}` : ends.join(' to ')
    return step === undefined ? all : `${all}, every ${ordinal(Number(step))}`
  })
  return listed(items)
}

function listWords(field: string, what: string): string {
  const items = field.split(',').map((item) => {
    const [range = '', step] = item.split('/')
    const shown = isAll(range) ? `every ${what}` : range.replace('-', ' to ')
    return step === undefined ? shown : `${shown}, every ${ordinal(Number(step))}`
  })
  const isOne = items.length === 1 && /^\d+$/.test(field)
  return `${isOne || field.startsWith('*') ? (field.startsWith('*') ? '' : `${what} `) : `${what}s `}${listed(items)}`
}

const stepOf = (field: string): number | undefined => {
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? []
  return step === undefined ? undefined : Number(step)
}

function ordinal(number: number): string {
  const ending =
    number % 100 > 10 && number % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
