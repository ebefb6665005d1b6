import { indentOf, isBlank, isBoundary, opensText, readLine } from './yaml-line.ts'

/** Maximum number of suggested names. */
const namesMax = 5_000

/**
 * The names of the other steps of a document, as far as a text that need not be YAML shows them.
 * @param number of a line of a step, counted from 0
 */
export function otherStepNames(lines: readonly string[], number: number): string[] {
  let start = number
  while (start > 0 && !isBoundary(lines[start] ?? '')) start--
  const [first, last] = stepAround(lines, number)
  const names = new Set<string>()
  let isIn = false
  let textColumn = Infinity
  for (let at = start; at < lines.length && names.size < namesMax; at++) {
    const text = lines[at] ?? ''
    if (at > start && isBoundary(text)) break
    if (isBlank(text) || indentOf(text) > textColumn) continue
    const line = readLine(text)
    textColumn = opensText(line) ? (line.tokens.at(-1)?.column ?? Infinity) : Infinity
    const [outer] = line.tokens
    if (outer?.column === 0 && outer.key !== undefined) isIn = outer.key.toLowerCase() === 'steps'
    if (!isIn || (at >= first && at <= last)) continue
    const name = nameIn(text, line.tokens.at(-1)?.key, line.rest)
    if (name !== undefined) names.add(name)
  }
  return [...names]
}

/** The first and last line of the list item that a line is in, the outermost of a list of steps. */
export function stepAround(lines: readonly string[], number: number): readonly [number, number] {
  let first = number
  let column = Infinity
  for (let at = number; at >= 0; at--) {
    const text = lines[at] ?? ''
    if (isBoundary(text)) break
    const [outer] = readLine(text).tokens
    if (outer === undefined || outer.column >= column) continue
    if (outer.key !== undefined && outer.column === 0) break
    if (outer.key === undefined) [first, column] = [at, outer.column]
  }
  let last = first
  while (last + 1 < lines.length && isInside(lines[last + 1] ?? '', column)) last++
  return [first, Math.max(last, number)]
}

const isInside = (text: string, column: number): boolean => isBlank(text) || indentOf(text) > column

function nameIn(text: string, key: string | undefined, rest: string): string | undefined {
  if (key === 'name') return plain(rest)
  const inFlow = /^\s*(?:-\s+)+\{.*?\bname:\s*("[^"]*"|'[^']*'|[^,}]+)/.exec(text)?.[1]
  return inFlow === undefined ? undefined : plain(inFlow)
}

/** A value without quotes and comment. */
function plain(value: string): string | undefined {
  const quoted = /^\s*(?:"([^"]*)"|'([^']*)')/.exec(value)
  const text = quoted === null ? value.replace(/\s#.*$/, '').trim() : (quoted[1] ?? quoted[2] ?? '')
  return text === '' ? undefined : text
}
