import { structuredPatch } from 'diff'

/** A line of a diff, or how many equal lines are left out between two of them. Lines count from 1. */
export type DiffRow =
  | {
      readonly kind: 'same' | 'added' | 'removed'
      readonly before?: number
      readonly after?: number
      readonly text: string
    }
  | { readonly kind: 'gap'; readonly count: number }

export interface Diff {
  readonly rows: readonly DiffRow[]
  readonly added: number
  readonly removed: number
}

const linesAround = 3
/** Lines removed and added; beyond that, the work grows with their square. */
const editsMax = 5_000
/** Milliseconds: few distinct lines in many orders also take long, and block the page. */
const msMax = 1_000

/**
 * The changes between two texts, line by line, with three equal lines around each change. Texts count as equal
 * whether or not the last line ends with a line feed.
 * @returns undefined when too many lines differ, or the comparison takes too long
 */
export function diffTexts(before: string, after: string): Diff | undefined {
  const options = { context: linesAround, maxEditLength: editsMax, timeout: msMax }
  const patch = structuredPatch('', '', ended(before), ended(after), undefined, undefined, options)
  if (patch === undefined) return undefined
  const rows: DiffRow[] = []
  let [old, fresh] = [1, 1]
  for (const { oldStart, lines } of patch.hunks) {
    const count = oldStart - old
    if (count > 0) rows.push({ kind: 'gap', count })
    old += count
    fresh += count
    for (const line of lines) {
      const text = line.slice(1)
      if (line.startsWith('+')) rows.push({ kind: 'added', after: fresh++, text })
      else if (line.startsWith('-')) rows.push({ kind: 'removed', before: old++, text })
      else rows.push({ kind: 'same', before: old++, after: fresh++, text })
    }
  }
  const left = lineCount(before) - (old - 1)
  if (rows.length > 0 && left > 0) rows.push({ kind: 'gap', count: left })
  const count = (kind: DiffRow['kind']): number => rows.filter((row) => row.kind === kind).length
  return { rows, added: count('added'), removed: count('removed') }
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
const lineCount = (text: string): number => ended(text).split('\n').length - 1
