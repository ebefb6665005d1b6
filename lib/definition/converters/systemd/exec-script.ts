/** A line that starts a program (systemd.service(5), "Command lines"), as a script of a shell. */
export interface ExecScript {
  readonly script: string
  /** A failure of this program does not matter (`-`). */
  readonly mayFail: boolean
  readonly notes: readonly string[]
}

/** Replaces what is between `%` and a letter. */
export type Specifiers = Readonly<Record<string, string>>

const plain = /^[A-Za-z0-9_./:=@%+,-]+$/
/** Escapes within words, of those that systemd knows. */
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', s: ' ' }

/** Converts one value of `ExecStart=`. Words stay words, whatever a shell would make of them. */
export function execScript(line: string, specifiers: Specifiers): ExecScript {
  const prefix = /^[-@:+!|]*/.exec(line)?.[0] ?? ''
  const unknown = new Set<string>()
  const words = splitWords(line.slice(prefix.length).trim())
  // `@`: the second word is what the program sees as its own name.
  if (prefix.includes('@')) words.splice(1, 1)
  const written = words.map((word) => {
    const filled = { ...word, text: fillSpecifiers(word.text, specifiers, unknown) }
    return prefix.includes(':') ? quoted(filled.text) : shellWord(filled)
  })
  return {
    script: `${written.join(' ')}\n`,
    mayFail: prefix.includes('-'),
    notes: [
      ...(/[+!]/.test(prefix) ? [`the privileges of ${prefix} before a command are not given`] : []),
      ...(unknown.size === 0 ? [] : [`${[...unknown].join(', ')} of systemd stays as it is written`]),
    ],
  }
}

interface Word {
  readonly text: string
  readonly isQuoted: boolean
}

/** The words of a value: quotes may stand around a word or a part of it. */
export function splitWords(line: string): Word[] {
  const words: Word[] = []
  let piece: string[] | undefined
  let isQuoted = false
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at)
    if (quote === '' && /\s/.test(char)) {
      if (piece !== undefined) words.push({ text: piece.join(''), isQuoted })
      piece = undefined
      isQuoted = false
      continue
    }
    piece ??= []
    if (char === quote) quote = ''
    else if (quote === '' && /["']/.test(char)) {
      quote = char
      isQuoted = true
    } else if (char === '\\' && at + 1 < line.length) {
      at += 1
      piece.push(escapes[line.charAt(at)] ?? line.charAt(at))
    } else piece.push(char)
  }
  if (piece !== undefined) words.push({ text: piece.join(''), isQuoted })
  return words
}

function fillSpecifiers(text: string, specifiers: Specifiers, unknown: Set<string>): string {
  return text.replaceAll(/%(.)/g, (all, letter: string) => {
    if (letter === '%') return '%'
    const value = specifiers[letter]
    if (value === undefined) unknown.add(all)
    return value ?? all
  })
}

/** `$NAME` alone is split into words, `${NAME}` is replaced within a word, and `$$` is a dollar sign. */
function shellWord({ text, isQuoted }: Word): string {
  if (!isQuoted && /^\$[A-Za-z_]\w*$/.test(text)) return text
  if (text === '') return quoted(text)
  return text
    .split(/(\$\$|\$\{[A-Za-z_]\w*\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('${') ? `"${part}"` : quoted(part === '$$' ? '$' : part)))
    .join('')
}

const quoted = (text: string): string =>
  plain.test(text) ? text : text === '' ? "''" : `'${text.replaceAll("'", `'\\''`)}'`
