const entry = /^[ \t]*(?:export[ \t]+)?([A-Za-z0-9_.]+)[ \t]*[=:][ \t]*/
const reference = /\\\$|\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g

/**
 * The variables of a dotenv file, in its order. A value may be in single quotes (literal) or double quotes (with `\n`,
 * `\r` and `\"`), which may hold several lines; without quotes, a `#` after a blank begins a remark. `$NAME` and
 * `${NAME}`, except in single quotes, stand for an earlier variable of the file; other names stay as written, since
 * passwords have dollar signs. Lines of another form are skipped.
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
  if (quoted === undefined) return filled(start.replace(/(?:^|[ \t])#.*$/, '').trim(), known)
  if (quote === "'") return quoted
  const plain = quoted.replaceAll(/\\([^$])/gs, (_, escaped: string) => escapes[escaped] ?? escaped)
  return filled(plain, known)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r' }

/** @returns undefined when the quote is never closed: then it is an ordinary character */
function readQuoted(start: string, quote: string, rest: Rest): string | undefined {
  const parts: string[] = []
  for (let at = rest.next, line = start.slice(1); ; line = rest.lines[at++] ?? '') {
    const end = closing(line, quote)
    if (end !== undefined) {
      rest.next = at
      return [...parts, line.slice(0, end)].join('\n')
    }
    if (at >= rest.lines.length) return undefined
    parts.push(line)
  }
}

function closing(line: string, quote: string): number | undefined {
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\' && quote === '"') at++
    else if (line[at] === quote) return at
  }
  return undefined
}

function filled(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(reference, (written, braced?: string, bare?: string) =>
    written === '\\$' ? '$' : (known.get(braced ?? bare ?? '') ?? written),
  )
}
