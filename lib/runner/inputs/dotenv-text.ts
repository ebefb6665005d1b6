const entry = /^[ \t]*(?:export[ \t]+)?([A-Za-z0-9_.]+)[ \t]*[=:][ \t]*/
const reference = /\\\$|\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g

/**
 * The variables of a dotenv file, in order. Values in single quotes are literal; those in double quotes have the
 * escapes `\n`, `\r` and `\"`; both may span lines. Without quotes, `#` after a blank starts a comment. Except in
 * single quotes, `$NAME` and `${NAME}` refer to an earlier variable of the file; unknown names stay as written, because
 * passwords contain dollar signs. Other lines are skipped.
 */
export function readDotenv(text: string): Map<string, string> {
  const values = new Map<string, string>()
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const rest = { lines, next: 0 }
  while (rest.next < lines.length) {
    const line = lines[rest.next++] ?? ''
    const [head = '', name] = entry.exec(line) ?? []
    if (name !== undefined) values.set(name, readValue(line.slice(head.length), rest, values))
  }
  return values
}

interface Rest {
  readonly lines: readonly string[]
  next: number
}

function readValue(start: string, rest: Rest, known: ReadonlyMap<string, string>): string {
  const quote = start[0]
  const quoted = quote === "'" || quote === '"' ? readQuoted(start, quote, rest) : undefined
  if (quoted === undefined) return substituted(start.replace(/(?:^|[ \t])#.*$/, '').trim(), known)
  if (quote === "'") return quoted
  const plain = quoted.replaceAll(/\\([^$])/gs, (_, escaped: string) => escapes[escaped] ?? escaped)
  return substituted(plain, known)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r' }

/** @returns undefined when the quote is never closed: then it is an ordinary character */
function readQuoted(start: string, quote: string, rest: Rest): string | undefined {
  const parts: string[] = []
  for (let at = rest.next, line = start.slice(1); ; line = rest.lines[at++] ?? '') {
    const end = closingQuote(line, quote)
    if (end !== undefined) {
      rest.next = at
      return [...parts, line.slice(0, end)].join('\n')
    }
    if (at >= rest.lines.length) return undefined
    parts.push(line)
  }
}

function closingQuote(line: string, quote: string): number | undefined {
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\' && quote === '"') at++
    else if (line[at] === quote) return at
  }
  return undefined
}

function substituted(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(reference, (written, braced?: string, bare?: string) =>
    written === '\\$' ? '$' : (known.get(braced ?? bare ?? '') ?? written),
  )
}
