import { readFlow, type FlowPosition } from './yaml-flow.ts'
import {
  indentOf,
  isBlank,
  isBoundary,
  opensText,
  readLine,
  type LineToken,
  type YamlLine,
} from './yaml-line.ts'

export type YamlPath = readonly (string | number)[]

/** The position of a cursor in YAML, even while the text is not valid. */
export interface YamlPosition {
  /** To the map whose key is typed, or to the value that is typed. */
  readonly path: YamlPath
  /** `item`: of a list, either a value or the first key of a map. */
  readonly at: 'key' | 'value' | 'item'
  /** Offset at which the key or value begins. */
  readonly from: number
  /** It, up to the cursor. */
  readonly typed: string
  /** Keys that the map has on other lines. */
  readonly present: readonly string[]
  /** Column of the key or value. */
  readonly column: number
}

/** How many lines above the cursor are searched for an open bracket. */
const flowLinesMax = 60

/** @returns undefined in comments, and in texts of several lines */
export function yamlPositionAt(text: string, offset: number): YamlPosition | undefined {
  const lines = text.split('\n')
  const number = text.slice(0, offset).split('\n').length - 1
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const head = text.slice(lineStart, offset)
  if (isBoundary(head) || isInText(lines, number, head)) return undefined
  const inFlow = flowPosition(lines, number, head, lineStart)
  if (inFlow !== undefined) return inFlow
  return hasComment(head) ? undefined : blockPosition(lines, number, head, lineStart)
}

/** Whether what is typed at a cursor is a comment. */
export function isInComment(text: string, offset: number): boolean {
  const before = text.slice(0, offset).split('\n')
  const head = before.at(-1) ?? ''
  return hasComment(head) && !isInText([...before.slice(0, -1), head], before.length - 1, head)
}

const hasComment = (head: string): boolean =>
  /(^|\s)#/.test(head.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ''))

function blockPosition(
  lines: readonly string[],
  number: number,
  head: string,
  lineStart: number,
): YamlPosition {
  const line = readLine(head)
  const last = line.tokens.at(-1)
  const above = pathAbove(lines, number, line.tokens[0] ?? { column: line.column, key: '' })
  const path = [...above, ...pathOf(line.tokens, lines, number)]
  const quoted = /^["']/.test(line.rest) ? 1 : 0
  const from = lineStart + line.column + quoted
  const common = { path, from, typed: line.rest.slice(quoted), column: line.column }
  if (last !== undefined && last.key !== undefined) return { ...common, at: 'value', present: [] }
  const present = siblings(lines, number, line.column)
  return { ...common, at: last === undefined ? 'key' : 'item', present }
}

/** The path that the tokens of one line add. */
function pathOf(tokens: readonly LineToken[], lines: readonly string[], number: number): YamlPath {
  return tokens.map(({ key, column }, index) => key ?? (index === 0 ? itemIndex(lines, number, column) : 0))
}

/** The keys and items that something at a column is part of, from the lines above it. */
function pathAbove(lines: readonly string[], number: number, { column, key }: LineToken): YamlPath {
  const path: (string | number)[] = []
  // The items of a list may be in the column of their key.
  let reach = key === undefined ? column + 1 : column
  for (let above = number - 1; above >= 0 && reach > 0; above--) {
    const text = lines[above] ?? ''
    if (isBoundary(text)) break
    if (isBlank(text) || indentOf(text) >= reach) continue
    for (const token of readLine(text).tokens.toReversed()) {
      const isParent = token.key === undefined ? token.column < Math.min(reach, column) : token.column < reach
      if (!isParent) continue
      path.unshift(token.key ?? itemIndex(lines, above, token.column))
      column = token.column
      reach = token.key === undefined ? column + 1 : column
    }
  }
  return path
}

/** How many items of the same list are above one. */
function itemIndex(lines: readonly string[], number: number, column: number): number {
  let index = 0
  for (let above = number - 1; above >= 0; above--) {
    const text = lines[above] ?? ''
    if (isBoundary(text)) break
    if (isBlank(text)) continue
    const { tokens } = readLine(text)
    const own = tokens.find((token) => token.column === column)
    if (own !== undefined && own.key === undefined) index += 1
    else if (indentOf(text) <= column) break
    // An item that holds this list on its own line is the first of it.
    if (own !== undefined && indentOf(text) < column) break
  }
  return index
}

/** The other keys of the map to which a key at a column belongs. */
function siblings(lines: readonly string[], number: number, column: number): string[] {
  const keys: string[] = []
  const isOver = (text: string, step: number): boolean => {
    if (isBoundary(text)) return true
    if (isBlank(text)) return false
    const { tokens } = readLine(text)
    const own = tokens.find((token) => token.column === column)
    const isOther = step > 0 && indentOf(text) < column
    if (own?.key !== undefined && !isOther) keys.push(own.key)
    return indentOf(text) < column
  }
  const isItem = readLine(lines[number] ?? '').tokens.some(
    (token) => token.key === undefined && token.column < column,
  )
  if (!isItem) for (let at = number - 1; at >= 0 && !isOver(lines[at] ?? '', -1); at--);
  for (let at = number + 1; at < lines.length && !isOver(lines[at] ?? '', 1); at++);
  return keys
}

/** Whether a line is part of a text of several lines (`|`, `>`). */
function isInText(lines: readonly string[], number: number, head: string): boolean {
  const own = lines[number] ?? ''
  let least = own.trim() === '' ? head.length : indentOf(own)
  for (let above = number - 1; above >= 0 && least > 0; above--) {
    const text = lines[above] ?? ''
    if (text.trim() === '' || indentOf(text) >= least) continue
    const line = readLine(text)
    if ((line.tokens.at(-1)?.column ?? least) < least && opensText(line)) return true
    least = indentOf(text)
  }
  return false
}

/** Where the cursor stands if a bracket is open before it. */
function flowPosition(
  lines: readonly string[],
  number: number,
  head: string,
  lineStart: number,
): YamlPosition | undefined {
  let least = Infinity
  for (let above = number; above >= 0 && above > number - flowLinesMax; above--) {
    const own = above === number ? head : (lines[above] ?? '')
    if (isBoundary(own)) return undefined
    const line = readLine(own)
    if (/^[[{]/.test(line.rest) && (line.tokens.at(-1)?.column ?? -1) < least) {
      const text = [line.rest, ...lines.slice(above + 1, number), ...(above < number ? [head] : [])].join(
        '\n',
      )
      const flow = readFlow(text)
      return flow && placed(lines, above, line, { flow, text, end: lineStart + head.length })
    }
    if (line.tokens[0]?.column === 0) return undefined
    if (own.trim() !== '') least = Math.min(least, indentOf(own))
  }
  return undefined
}

interface Flow {
  readonly flow: FlowPosition
  /** From the first bracket to the cursor. */
  readonly text: string
  /** Offset of the cursor. */
  readonly end: number
}

function placed(
  lines: readonly string[],
  number: number,
  line: YamlLine,
  { flow, text, end }: Flow,
): YamlPosition {
  const above = pathAbove(lines, number, line.tokens[0] ?? { column: line.column, key: '' })
  const quoted = /^["']/.test(text.slice(flow.start)) ? 1 : 0
  const typed = text.slice(flow.start + quoted)
  const path = [...above, ...pathOf(line.tokens, lines, number), ...flow.path]
  const { at, present } = flow
  return { path, at, from: end - typed.length, typed, present, column: line.column }
}
