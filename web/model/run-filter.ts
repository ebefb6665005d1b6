import { runStatuses } from '#lib/core/status.ts'
import { stateCodeOf } from './states.ts'

/** The query for the service. */
export interface RunQuery {
  /** Codes of the API with commas between. */
  readonly status?: string
  readonly name?: string
  readonly dagRunId?: string
  readonly tag?: string
  readonly group?: string
  readonly trigger?: 'manual' | 'scheduler' | 'retry'
  readonly worker?: string
  readonly minMs?: number
  readonly q?: string
}

/** One filter of the text, as a chip shows it. */
export interface FilterChip {
  readonly label: string
  /** The text of the filter without it. */
  readonly without: string
}

export interface RunFilter {
  readonly query: RunQuery
  /** Codes of the states among them. */
  readonly codes: readonly number[]
  /** All filters but the states. */
  readonly chips: readonly FilterChip[]
}

/** The states with a filter button: the most common ones. */
export const stateToggles: readonly { readonly code: number; readonly name: string }[] = [
  { code: 2, name: 'Failed' },
  { code: 1, name: 'Running' },
  { code: 5, name: 'Queued' },
  { code: 4, name: 'Succeeded' },
  { code: 6, name: 'Partly succeeded' },
  { code: 3, name: 'Cancelled' },
]

/** Reads `failed running dag:nightly took:5m words`. Several states widen the list, all else narrows it. */
export function readRunFilter(text: string): RunFilter {
  const words = wordsOf(text)
  const codes: number[] = []
  const plain: string[] = []
  const query: Record<string, string | number> = {}
  for (const word of words) {
    const meaning = meaningOf(word)
    if (meaning.kind === 'state') codes.push(meaning.code)
    else if (meaning.kind === 'word') plain.push(word)
    else query[meaning.field] = meaning.value
  }
  if (codes.length > 0) query['status'] = [...new Set(codes)].toSorted((a, b) => a - b).join(',')
  if (plain.length > 0) query['q'] = plain.join(' ')
  const chips = words.flatMap((word, index) => {
    const { kind } = meaningOf(word)
    if (kind === 'state') return []
    const label = kind === 'word' ? `“${word}”` : word.replace(':', ': ')
    return [{ label, without: words.filter((_, other) => other !== index).join(' ') }]
  })
  return { query, codes, chips }
}

/** The text with a state added, or without it. */
export function toggleState(text: string, code: number): string {
  const words = wordsOf(text)
  const others = words.filter((word) => {
    const meaning = meaningOf(word)
    return meaning.kind !== 'state' || meaning.code !== code
  })
  return (others.length < words.length ? others : [...words, runStatuses[code] ?? '']).join(' ')
}

type Meaning =
  | { readonly kind: 'state'; readonly code: number }
  | { readonly kind: 'field'; readonly field: string; readonly value: string | number }
  | { readonly kind: 'word' }

function meaningOf(word: string): Meaning {
  const colon = word.indexOf(':')
  const [key, value] = colon < 0 ? ['', word] : [word.slice(0, colon).toLowerCase(), word.slice(colon + 1)]
  const code = key === '' || key === 'state' ? stateOf(value) : undefined
  if (code !== undefined) return { kind: 'state', code }
  const field = fields.get(key)
  if (field !== undefined && value !== '') return { kind: 'field', field, value }
  const trigger = triggers.get(value.toLowerCase())
  if (key === 'trigger' && trigger !== undefined) return { kind: 'field', field: 'trigger', value: trigger }
  const ms = key === 'took' ? readDuration(value) : undefined
  return ms === undefined ? { kind: 'word' } : { kind: 'field', field: 'minMs', value: ms }
}

const stateOf = (word: string): number | undefined =>
  stateCodeOf(word) ?? stateCodeOf(word.replaceAll('_', ' '))

const fields: ReadonlyMap<string, string> = new Map([
  ['dag', 'name'],
  ['id', 'dagRunId'],
  ['tag', 'tag'],
  ['group', 'group'],
  ['runner', 'worker'],
])

const triggers: ReadonlyMap<string, string> = new Map([
  ['manual', 'manual'],
  ['person', 'manual'],
  ['scheduler', 'scheduler'],
  ['schedule', 'scheduler'],
  ['retry', 'retry'],
])

const units: Readonly<Record<string, number>> = {
  '': 1_000,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** `90`, `90s`, `5m`, `2h`, `1d` as milliseconds. */
function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd]?)$/.exec(text.toLowerCase()) ?? []
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 0)
}

/** Words of a state that has two are one word: `partly succeeded`. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/\b(partly|partial|not) (succeeded|success|started)\b/gi, '$1_$2')
    .split(/[\s,]+/)
    .filter((word) => word !== '')
