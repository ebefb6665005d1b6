/** What begins on a line of YAML: the dash of a list item, or a key of a map. */
export interface LineToken {
  /** Counted from 0. */
  readonly column: number
  /** Undefined: the dash of an item. */
  readonly key: string | undefined
}

export interface YamlLine {
  readonly tokens: readonly LineToken[]
  /** Column of what comes after the tokens; the length of the line when there is nothing. */
  readonly column: number
  /** What comes after the tokens: a value, or a key without its colon. */
  readonly rest: string
}

const keyPattern = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#[\]{},&*!|>%@`][^#]*?))\s*:(?=\s|$)/

/** Reads a line by itself, whatever the lines around it are. */
export function readLine(line: string): YamlLine {
  const tokens: LineToken[] = []
  let column = line.search(/\S|$/)
  for (;;) {
    const rest = line.slice(column)
    const dash = /^-(?:\s+|$)/.exec(rest)
    if (dash !== null) {
      tokens.push({ column, key: undefined })
      column += dash[0].length
      continue
    }
    const key = keyPattern.exec(rest)
    if (key === null) return { tokens, column, rest }
    tokens.push({ column, key: key[1] ?? key[2]?.replaceAll("''", "'") ?? key[3] ?? '' })
    column += key[0].length
    column += line.slice(column).search(/\S|$/)
    return { tokens, column, rest: line.slice(column) }
  }
}

/** Whether nothing is on a line but a comment. */
export const isBlank = (line: string): boolean => /^\s*(#|$)/.test(line)

/** Whether a document begins or ends at a line. */
export const isBoundary = (line: string): boolean => /^(---|\.\.\.)(\s|$)/.test(line)

/** Whether a text on several lines begins behind the tokens of a line. */
export const opensText = ({ rest }: YamlLine): boolean => /^(?:[&!]\S+\s+)*[|>][-+\d]*\s*(#.*)?$/.test(rest)

/** Column of the first thing on a line. */
export const indentOf = (line: string): number => line.search(/\S|$/)
