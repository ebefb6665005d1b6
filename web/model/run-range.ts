/** Seconds of each choice. */
const presets = new Map([
  ['1h', 3_600],
  ['24h', 86_400],
  ['7d', 604_800],
  ['30d', 2_592_000],
])

export const rangeNames: readonly { readonly value: string; readonly name: string }[] = [
  { value: '', name: 'Any time' },
  { value: '1h', name: 'Last hour' },
  { value: '24h', name: 'Last 24 hours' },
  { value: '7d', name: 'Last 7 days' },
  { value: '30d', name: 'Last 30 days' },
]

/** Bars of the histogram. */
export const bucketsShown = 96

/** Times are seconds since 1970. */
export interface RunRange {
  /** Of the histogram; both ends move in steps as long as a bar, so that a view stays the same for a while. */
  readonly from: number
  readonly to: number
  /** The range of the list; by default all runs. */
  readonly listed: { readonly fromDate?: number; readonly toDate?: number }
  /** The chosen preset; empty for none, undefined for two fixed ends. */
  readonly preset: string | undefined
}

/** Reads `last` or `from` and `to` of an address. Without any the histogram shows the last 24 hours. */
export function readRange(query: Readonly<Record<string, string>>, nowMs: number): RunRange {
  const [from, to] = [secondsOf(query['from']), secondsOf(query['to'])]
  if (from !== undefined && to !== undefined && from < to) {
    return { from, to, listed: { fromDate: from, toDate: to - 1 }, preset: undefined }
  }
  const preset = presets.has(query['last'] ?? '') ? (query['last'] ?? '') : ''
  const length = presets.get(preset) ?? 86_400
  const step = Math.ceil(length / bucketsShown)
  const end = Math.ceil(nowMs / 1000 / step) * step
  const begin = end - length
  return { from: begin, to: end, listed: preset === '' ? {} : { fromDate: begin }, preset }
}

const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,11}$/.test(text) ? Number(text) : undefined

/** The range between two positions of the histogram, as fractions of its width: at least one bar. */
export function rangeBetween(
  { from, to }: Pick<RunRange, 'from' | 'to'>,
  one: number,
  other: number,
): { readonly from: number; readonly to: number } {
  const width = Math.max(1, Math.ceil((to - from) / bucketsShown))
  const count = Math.ceil((to - from) / width)
  const [left = 0, right = 0] = [one, other]
    .map((part) => Math.min(count - 1, Math.max(0, Math.floor((part * (to - from)) / width))))
    .toSorted((a, b) => a - b)
  return { from: from + left * width, to: Math.min(to, from + (right + 1) * width) }
}

const two = (count: number): string => String(count).padStart(2, '0')

/** A time of the zone of the browser, to the minute, as its fields for times have it. */
export function fieldText(seconds: number): string {
  const at = new Date(seconds * 1000)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Seconds since 1970 of {@link fieldText}; undefined while it is not a time. */
export function fieldSeconds(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.floor(ms / 1000)
}
