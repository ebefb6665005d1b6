/** What is open at a place of a shell program, from the outside to the inside. */
export interface Frame {
  readonly kind: 'code' | 'substitution' | 'backtick' | 'double' | 'parameter' | 'arithmetic' | 'heredoc'
  /** Within double quotes or a here-document, where single quotes are letters. */
  readonly quoted: boolean
  /** Open parentheses of this frame itself. */
  parens: number
  /** For each open `case`, the parentheses open at its beginning: its patterns end in one that was never opened. */
  readonly cases: number[]
}

export function openFrame(kind: Frame['kind'], quoted = false): Frame {
  return { kind, quoted, parens: 0, cases: [] }
}

/** Where commands stand, so quotes and comments mean something. */
export function isCode(kind: Frame['kind']): boolean {
  return kind === 'code' || kind === 'substitution' || kind === 'backtick'
}

export interface HereDocument {
  readonly delimiter: string
  /** Any part of the delimiter in quotes: the body is taken literally. */
  readonly quoted: boolean
  /** `<<-`: tabs before the delimiter do not count. */
  readonly tabs: boolean
  /** Behind the delimiter. */
  readonly end: number
}

const operator = /<<(-?)[ \t]*((?:\\.|'[^'\n]{0,200}'|"[^"\n]{0,200}"|[^\s;&|<>()'"\\]){1,200})/y

/** @returns undefined where no here-document begins; a shift by a number (`1<<2`) is none. */
export function hereDocumentAt(text: string, at: number): HereDocument | undefined {
  operator.lastIndex = at
  const match = operator.exec(text)
  const word = match?.[2] ?? ''
  if (match === null || /^\d/.test(word)) return undefined
  return {
    delimiter: word.replaceAll(/\\(.)|['"]/g, '$1'),
    quoted: /['"\\]/.test(word),
    tabs: match[1] === '-',
    end: operator.lastIndex,
  }
}

/** Where the body from `from` on ends, and where its delimiter's line ends. Never closed: both at `until`. */
export function hereDocumentEnd(
  text: string,
  from: number,
  until: number,
  here: HereDocument,
): { readonly end: number; readonly next: number } {
  let line = from
  while (line < until) {
    const newline = text.indexOf('\n', line)
    const lineEnd = newline < 0 || newline > until ? until : newline
    const start = here.tabs ? line + (/^\t*/.exec(text.slice(line, lineEnd))?.[0].length ?? 0) : line
    if (text.slice(start, lineEnd) === here.delimiter) return { end: line, next: lineEnd }
    line = lineEnd + 1
  }
  return { end: until, next: until }
}

const caseStart = /case\s[^\n;]{1,200}?\sin\s/y

export function startsCase(text: string, at: number): boolean {
  caseStart.lastIndex = at
  return caseStart.test(text)
}
