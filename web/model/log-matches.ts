/** The lines of a log that match a search, counted from 1, in their order. */
export interface LogMatches {
  readonly lines: readonly number[]
  /** False: the search ended before the log did. */
  readonly isDone: boolean
}

/** @param text JSON lines, as the service answers a search */
export function readMatches(text: string): LogMatches {
  const rows = text
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => JSON.parse(row) as { readonly line?: number; readonly done?: boolean })
  return {
    lines: rows.flatMap(({ line }) => line ?? []),
    isDone: rows.at(-1)?.done === true,
  }
}

/** `no match`, `1 match`, `12 matches`, `500 matches and more`; with a position: `3 of 12 matches`. */
export function matchesText(
  { lines, isDone }: LogMatches,
  current: number | undefined,
  [one, many]: readonly [string, string] = ['match', 'matches'],
): string {
  const position = current === undefined ? -1 : lines.indexOf(current)
  const count = lines.length === 0 ? `no ${one}` : lines.length === 1 ? `1 ${one}` : `${lines.length} ${many}`
  const rest = lines.length === 0 ? ' so far' : ' and more'
  return `${position < 0 ? '' : `${position + 1} of `}${count}${isDone ? '' : rest}`
}

/** The match after a line, or before it; from the last one on to the first. */
export function matchBeside(
  { lines }: LogMatches,
  current: number,
  way: 'next' | 'previous',
): number | undefined {
  if (way === 'next') return lines.find((line) => line > current) ?? lines[0]
  return lines.findLast((line) => line < current) ?? lines.at(-1)
}
