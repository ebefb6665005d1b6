import { insideSingleQuotes } from './quoted-program.ts'

/** A name that a text refers to. */
export interface NameUse {
  readonly name: string
  /** As written: `${NAME}`, `$NAME`. */
  readonly written: string
  /** `${NAME:-…}` and the like say themselves what happens without a value. */
  readonly hasDefault: boolean
  /** Within single quotes of a shell program; `'${NAME}'`, quoted alone, does not count. */
  readonly isQuoted: boolean
}

const mark = /\\[^]|'|"|\$(\{?)([A-Za-z_][A-Za-z0-9_]*)/g
/** What is in braces behind a name is read up to this length. */
const restLengthMax = 256

/**
 * The names that a text refers to, each once, in the order of the text. An approximation for warnings: here-documents
 * and nested quotes are read as plain text. Linear in the text.
 * @param language in a shell program, single quotes have a meaning
 */
export function namesInText(text: string, language: 'text' | 'shell'): NameUse[] {
  const uses = new Map<string, NameUse>()
  const marks = new RegExp(mark)
  let quote = ''
  // A shell in single quotes looks values up itself.
  let isInnerShell = false
  let close = 0
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const [found, brace, name] = match
    if (name === undefined) {
      if (language === 'text' || found.startsWith('\\')) continue
      if (quote === '') {
        quote = found
        isInnerShell = insideSingleQuotes(text.slice(Math.max(0, match.index - 200), match.index)) === 'shell'
      } else if (quote === found) quote = ''
      continue
    }
    let rest = ''
    if (brace === '{') {
      const from = marks.lastIndex
      if (close >= 0 && close < from) close = text.indexOf('}', from)
      if (close < 0 || close - from > restLengthMax) continue
      rest = text.slice(from, close)
      marks.lastIndex = close + 1
    }
    const written = text.slice(match.index, marks.lastIndex)
    const isAlone = text[match.index - 1] === "'" && text[marks.lastIndex] === "'"
    const isQuoted = quote === "'" && !isAlone && !isInnerShell
    const key = `${isQuoted} ${written}`
    if ((quote !== "'" || isQuoted) && !uses.has(key)) {
      uses.set(key, { name, written, hasDefault: /^(?::?[-+?=]|[%#/^,@])/.test(rest), isQuoted })
    }
  }
  return [...uses.values()]
}

const quotedDelimiter = /<<-?[ \t]*(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|\\(\w{1,80}))/

/** The bodies of here-documents whose delimiter is quoted: a shell leaves them as written. */
export function quotedHereDocuments(program: string): string[] {
  const bodies: string[] = []
  let delimiter: string | undefined
  let body: string[] = []
  for (const line of program.split('\n')) {
    if (delimiter === undefined) {
      const [, single, double, bare] = quotedDelimiter.exec(line) ?? []
      delimiter = single ?? double ?? bare
    } else if (line.trim() === delimiter) {
      bodies.push(body.join('\n'))
      delimiter = undefined
      body = []
    } else body.push(line)
  }
  return bodies
}

const name = '[A-Za-z_][A-Za-z0-9_]*'
const assignment = new RegExp(
  `(?<![A-Za-z0-9_$\\{])(${name})(?:\\[[^\\]\\n]{0,100}\\])?(?:[-+*/%]?=|\\+\\+|--)`,
  'g',
)
const declaration = new RegExp(
  '\\b(?:for|select|read|getopts|mapfile|readarray|export|local|declare|typeset|readonly|printf -v)\\b' +
    '([^\\n;|&<>=]{0,300})',
  'g',
)

/** The names that a shell program may define itself. */
export function namesDefinedByShell(program: string): Set<string> {
  const names = new Set<string>()
  for (const [, assigned = ''] of program.matchAll(assignment)) names.add(assigned)
  for (const [, words = ''] of program.matchAll(declaration)) {
    for (const [word] of words.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g)) names.add(word)
  }
  return names
}

/** Whether a shell program runs text that this service cannot see, which may define any name. */
export function readsOtherPrograms(program: string): boolean {
  return /(?:^|[\s;&|(])(?:source|\.|eval)\s/.test(program)
}

const ofShell = new Set(
  (
    'PWD OLDPWD RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME LINENO UID EUID PPID HOSTNAME HOSTTYPE ' +
    'MACHTYPE OSTYPE REPLY OPTARG OPTIND OPTERR IFS PS1 PS2 PS4 SHLVL COLUMNS LINES FUNCNAME PIPESTATUS DIRSTACK ' +
    'GROUPS _ status argv'
  ).split(' '),
)

/** Variables that a shell sets itself. */
export function isShellVariable(variable: string): boolean {
  return ofShell.has(variable) || /^(?:BASH|ZSH)/.test(variable)
}
