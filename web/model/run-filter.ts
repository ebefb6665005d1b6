import { stateCodeOf } from './states.ts'

/** What the service filters, and the words that are left for the rows that are loaded. */
export interface RunFilter {
  readonly query: {
    readonly status?: number
    readonly name?: string
    readonly dagRunId?: string
  }
  readonly words: readonly string[]
}

/** Reads `failed dag:nightly id:7f3a words`. Of two states the last counts, as the service takes one. */
export function readRunFilter(text: string): RunFilter {
  const words: string[] = []
  const query = new Map<string, string | number>()
  for (const word of text.trim().split(/[\s,]+/)) {
    const [key, value] = split(word)
    const status = stateCodeOf(key === 'state' ? value : word)
    const field = fields.get(key)
    if (status !== undefined) query.set('status', status)
    else if (field !== undefined && value !== '') query.set(field, value)
    else if (word !== '') words.push(word.toLowerCase())
  }
  return { query: Object.fromEntries(query), words }
}

const fields: ReadonlyMap<string, string> = new Map([
  ['dag', 'name'],
  ['id', 'dagRunId'],
])

function split(word: string): [string, string] {
  const colon = word.indexOf(':')
  return colon < 0 ? [word, ''] : [word.slice(0, colon).toLowerCase(), word.slice(colon + 1)]
}

/** Whether a row has all words in one of its texts. */
export const hasWords = (texts: readonly string[], words: readonly string[]): boolean =>
  words.every((word) => texts.some((text) => text.toLowerCase().includes(word)))
