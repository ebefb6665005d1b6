/** A match in a spec, as the service tells it: the line with its neighbours. */
interface Match {
  readonly line: string
  readonly lineNumber: number
  readonly startLine: number
}

/** The matching lines alone, with their numbers. */
export function matchLines(matches: readonly Match[]): { readonly number: number; readonly line: string }[] {
  return matches.map(({ line, lineNumber, startLine }) => ({
    number: lineNumber,
    line: (line.split('\n')[lineNumber - startLine] ?? '').trim(),
  }))
}

/** Longer lines are shortened to this number of characters. */
const [lineMax, beforeMax] = [400, 80]

/** A line, shortened around the match if it is long. */
export function aroundText(line: string, text: string): string {
  if (line.length <= lineMax) return line
  const at = line.toLowerCase().indexOf(text.toLowerCase())
  const from = Math.max(0, Math.min(at - beforeMax, line.length - lineMax))
  const to = from + lineMax
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}
