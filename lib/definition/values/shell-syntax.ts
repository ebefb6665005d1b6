/** An open construct at a position of a shell program; frames are nested from outside to inside. */
export interface Frame {
  readonly kind: 'code' | 'substitution' | 'backtick' | 'double' | 'parameter' | 'arithmetic' | 'heredoc'
  /** Within double quotes or a here-document, where single quotes are ordinary characters. */
  readonly quoted: boolean
  /** Number of open parentheses in this frame. */
  parens: number
  /** For each open `case`, `parens` at its beginning: its patterns end in a parenthesis that was never opened. */
  readonly cases: number[]
}

export function openFrame(kind: Frame['kind'], quoted = false): Frame {
  return { kind, quoted, parens: 0, cases: [] }
}

/** Whether this is command text, in which quotes and comments have a meaning. */
export function isCode(kind: Frame['kind']): boolean {
  return kind === 'code' || kind === 'substitution' || kind === 'backtick'
}

export interface HereDocument {
  readonly delimiter: string
  /** Part of the delimiter is quoted, so the body is literal. */
  readonly quoted: boolean
  /** `<<-`: tabs before the delimiter are ignored. */
  readonly tabs: boolean
  /** Offset after the delimiter. */
  readonly end: number
}

const operator = /<<(-?)[ \t]*((?:\\.|'[^'\n]{0,200}'|"[^"\n]{0,200}"|[^\s;&|<>()'"\\]){1,200})/y

/** @returns undefined where no here-document begins; a shift by a number (`1<<2`) is none */
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

/**
 * The end of a body that begins at `from`, and the end of its delimiter's line; both `until` when it is never closed.
 */
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

const caseStart = /case\s[^\n;]{1,100}?\sin\s/y

export function startsCase(text: string, at: number): boolean {
  caseStart.lastIndex = at
  return caseStart.test(text)
}
