/** A unit file of systemd: section → setting → values in the order of the file. */
export type Unit = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/** An empty value forgets the values before it, as in systemd. Lines that are no setting are passed over. */
export function readUnit(text: string): Unit {
  const unit = new Map<string, Map<string, string[]>>()
  let section = new Map<string, string[]>()
  for (const line of joinedLines(text)) {
    const heading = /^\[([^\]]+)\]$/.exec(line)?.[1]
    if (heading !== undefined) {
      section = unit.get(heading) ?? new Map<string, string[]>()
      unit.set(heading, section)
      continue
    }
    const equals = line.indexOf('=')
    if (equals <= 0) continue
    const [name, value] = [line.slice(0, equals).trim(), line.slice(equals + 1).trim()]
    if (value === '') section.set(name, [])
    else if (section.has(name)) section.get(name)?.push(value)
    else section.set(name, [value])
  }
  return unit
}

/** Lines without comments; a backslash at the end continues a line. */
function joinedLines(text: string): string[] {
  const lines: string[] = []
  let open: string[] | undefined
  for (const raw of text.split(/\r\n?|\n/)) {
    const line = raw.trim()
    if (/^[#;]/.test(line)) continue
    const continues = line.endsWith('\\')
    const part = continues ? line.slice(0, -1) : line
    open ??= []
    open.push(part.trim())
    if (continues) continue
    const whole = open.join(' ').trim()
    open = undefined
    if (whole !== '') lines.push(whole)
  }
  if (open !== undefined) lines.push(open.join(' ').trim())
  return lines
}

/** The values of a setting. */
export const valuesOf = (unit: Unit | undefined, section: string, name: string): readonly string[] =>
  unit?.get(section)?.get(name) ?? []

/** The value that counts of a setting with one value: the last. */
export const valueOf = (unit: Unit | undefined, section: string, name: string): string =>
  valuesOf(unit, section, name).at(-1) ?? ''

const unitSeconds: Readonly<Record<string, number>> = {
  us: 1e-6,
  usec: 1e-6,
  ms: 1e-3,
  msec: 1e-3,
  '': 1,
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  h: 3_600,
  hr: 3_600,
  hour: 3_600,
  hours: 3_600,
  d: 86_400,
  day: 86_400,
  days: 86_400,
  w: 604_800,
  week: 604_800,
  weeks: 604_800,
}

/** A time span such as `1h 30min`, in seconds; undefined for `infinity` and whatever is none. */
export function spanSeconds(text: string): number | undefined {
  const part = /(\d+(?:\.\d+)?)\s*([a-z]*)/g
  if (text === '' || text.length > 100 || text.replaceAll(part, '').trim() !== '') return undefined
  let seconds = 0
  for (const [, number, unit = ''] of text.matchAll(part)) {
    const each = unitSeconds[unit]
    if (each === undefined) return undefined
    seconds += Number(number) * each
  }
  return seconds
}
