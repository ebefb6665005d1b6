import { isReference, isSecretName, mask, maybeSecret } from './secret-names.ts'

export interface MaskedText {
  readonly text: string
  /** What was replaced. */
  readonly secrets: readonly string[]
}

const assignment = /["']?[ \t]{0,64}(?:=|:(?=[ \t"']))[ \t]{0,64}/y
const option = /[ \t]{1,64}/y
const quoted = /"([^"]*)"|'([^']*)'/y
const bare = /(?:\$\{[^}\s]{0,256}\}|\$\([^)\n]{0,256}\)|[^\s"'`&;,|<>(){}])+/y
const line = /[^"'\n]+/y
const userInfo = /:\/\/[^\s/:@]{0,256}:([^\s/@]{1,1024})(?=@)/g
const userOption = /(?<=\s(?:-u|--user|--proxy-user)[ =]["']?[^\s:"']{1,64}:)[^\s"']+/g

/**
 * Replaces what a text assigns to a secret name (`TOKEN=…`, `--password …`, `"apiKey": "…"`, `Authorization: …`), and
 * passwords in URLs. Takes time in proportion to the text.
 */
export function maskText(text: string): MaskedText {
  const ranges: [number, number][] = []
  for (const { 0: found, 1: password = '', index } of text.matchAll(userInfo)) {
    const end = index + found.length
    ranges.push([end - password.length, end])
  }
  for (const { 0: found, index } of text.matchAll(userOption)) ranges.push([index, index + found.length])
  let hidden = 0
  for (const { start, end } of secretNames(text)) {
    // A name within a value is a part of it; to look for its value as well would take quadratic time.
    const range = start < hidden ? undefined : valueRange(text, start, end)
    if (range === undefined) continue
    ranges.push(range)
    hidden = range[1]
  }
  return replaced(text, ranges)
}

/** The words that are names of secrets. */
function* secretNames(text: string): Generator<{ start: number; end: number }> {
  const known = new Map<string, boolean>()
  const clue = new RegExp(maybeSecret, 'gi')
  let looked = 0
  for (let found = clue.exec(text); found !== null; found = clue.exec(text)) {
    let start = found.index
    while (start > looked && isWordAt(text, start - 1)) start -= 1
    let end = clue.lastIndex
    while (isWordAt(text, end)) end += 1
    looked = end
    clue.lastIndex = end
    const name = text.slice(start, end)
    const isSecret = known.get(name) ?? isSecretName(name)
    known.set(name, isSecret)
    if (isSecret) yield { start, end }
  }
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122
  return isLetter || (code >= 48 && code <= 57) || code === 95 || code === 45
}

/** Where the value of a name is that is at [start, end). */
function valueRange(text: string, start: number, end: number): [number, number] | undefined {
  const sign = sticky(assignment, text, end)
  const isOption = text.startsWith('--', start)
  const gap = sign ?? (isOption ? sticky(option, text, end) : undefined)
  if (gap === undefined) return undefined
  const at = gap.end
  const inQuotes = sticky(quoted, text, at)
  if (inQuotes !== undefined) return [at + 1, inQuotes.end - 1]
  const isHeader = /authorization|cookie/i.test(text.slice(start, end)) && gap.text.includes(':')
  const value = sticky(isHeader ? line : bare, text, at)
  return value && [at, value.end]
}

function sticky(pattern: RegExp, text: string, at: number): { text: string; end: number } | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found === null ? undefined : { text: found[0], end: pattern.lastIndex }
}

function replaced(text: string, ranges: readonly [number, number][]): MaskedText {
  const secrets: string[] = []
  let shown = ''
  let at = 0
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const secret = text.slice(Math.max(start, at), end)
    if (secret.trim() === '' || isReference(secret) || secret.startsWith('$(')) continue
    secrets.push(secret)
    shown += text.slice(at, Math.max(start, at)) + mask
    at = end
  }
  return { text: shown + text.slice(at), secrets }
}
