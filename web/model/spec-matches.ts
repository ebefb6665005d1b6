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
