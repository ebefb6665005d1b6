import { badRequest } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { NamedText } from '#lib/definition/definition.ts'
import type { Effort } from './effort.ts'
import { referToHome } from './home.ts'
import { bounded, type BoundedScope, readReference, type Reference } from './reference.ts'
import type { CommandRunner, Scope } from './scope.ts'

export interface ExpandOptions {
  /**
   * What happens to `$NAME` when the name is unknown. `empty` is the rule; `keep` is for languages in which a dollar
   * sign has a meaning of its own, such as jq.
   */
  readonly unknown?: 'empty' | 'keep'
}

/** Whether {@link expand} leaves a text as it is: it contains no reference and no command. */
export function isLiteral(text: string): boolean {
  return !/[$`]/.test(text)
}

/**
 * Expands a text that no shell reads: environment entries, defaults of params, conditions, executor configuration,
 * mail, paths. The text is read once, from left to right; inserted values are not expanded again. Command substitutions
 * run one after the other, in the order of the text.
 * @throws ServiceError `bad_request` when the result is longer than a value may be, and any error of `run`
 */
export async function expand(
  text: string,
  scope: Scope,
  run: CommandRunner,
  options: ExpandOptions = {},
): Promise<string> {
  if (isLiteral(text)) return text
  const parts = await expandParts(text, scope, run, options)
  return parts.map((part) => part.text).join('')
}

/** An expanded text, and how many characters at its start the author of the file wrote. */
export interface Traced {
  readonly text: string
  readonly own: number
}

/** As {@link expand}. The author wrote what is in the file, and the variables that are not `foreign`. */
export async function expandTraced(
  text: string,
  scope: Scope,
  run: CommandRunner,
  options: ExpandOptions = {},
): Promise<Traced> {
  let whole = ''
  let own = 0
  for (const part of await expandParts(text, scope, run, options)) {
    if (own === whole.length) own += part.own
    whole += part.text
  }
  return { text: whole, own }
}

/** A piece of a text. */
export interface TextPart {
  readonly text: string
  /** False: written in the text itself. */
  readonly isValue: boolean
}

type ExpandedPart = TextPart & Traced

/** As {@link expand}, for texts in whose structure values must not interfere. The parts together are the result. */
export async function expandParts(
  text: string,
  scope: Scope,
  run: CommandRunner,
  options: ExpandOptions = {},
): Promise<ExpandedPart[]> {
  if (isLiteral(text)) return [{ text, own: text.length, isValue: false }]
  const within = bounded(scope)
  const reader: Reader = { text, scope: within, keepUnknown: options.unknown === 'keep' }
  const { parts } = readParts(reader, 0, 'text', 0)
  return fillParts(parts, within.effort, (command) => run(command, within))
}

/**
 * Expands entries in order, each with the entries before it in scope; an entry may refer to the earlier value of its
 * own name (`PATH: "$PATH:/opt"`). A `~` at the start is the home directory, as in a shell.
 * @returns the entries with their values; a repeated name occurs each time
 */
export async function expandInOrder(
  entries: readonly NamedText[],
  scope: Scope,
  run: CommandRunner,
): Promise<(NamedText & Pick<Traced, 'own'>)[]> {
  const variables = new Map(scope.variables)
  const foreign = new Map(scope.foreign)
  const within: Scope = { ...bounded(scope), variables, foreign }
  const expanded: (NamedText & Pick<Traced, 'own'>)[] = []
  for (const { name, value: text } of entries) {
    const { text: value, own } = await expandTraced(referToHome(text), within, run)
    const entry = { name, value, own }
    addTraced(entry, variables, foreign)
    expanded.push(entry)
  }
  return expanded
}

/** Sets a variable, and how much of it is the author's own if not all of it is. */
export function addTraced(
  { name, value, own }: NamedText & Pick<Traced, 'own'>,
  variables: Map<string, string>,
  foreign: Map<string, number>,
): void {
  variables.set(name, value)
  if (own < value.length) foreign.set(name, own)
  else foreign.delete(name)
}

interface Reader {
  readonly text: string
  readonly scope: BoundedScope
  readonly keepUnknown: boolean
}

/** Text of the author, a value, or a command that is replaced by its output. */
type Part = string | Traced | { readonly command: string }

interface Parts {
  readonly parts: Part[]
  readonly end: number
}

/** Deeper nesting of `${A:-${B:-…}}` is left as written. */
const nestingMax = 32

/** Reads to the end of the text, or to the brace that closes a default. */
function readParts(reader: Reader, from: number, position: 'text' | 'default', depth: number): Parts {
  const { text } = reader
  const parts: Part[] = []
  let at = from
  let plain = from
  const stops = position === 'text' ? /[\\$`]/g : /[\\$`}]/g
  for (;;) {
    stops.lastIndex = at
    const stop = stops.exec(text)
    if (stop === null) return { parts: [...parts, text.slice(plain)], end: text.length }
    const read =
      stop[0] === '}'
        ? undefined
        : stop[0] === '\\'
          ? readEscape(text, stop.index)
          : readMark(reader, stop.index, depth)
    if (read === undefined) return { parts: [...parts, text.slice(plain, stop.index)], end: stop.index }
    if (read.parts.length > 0) {
      parts.push(text.slice(plain, stop.index))
      for (const part of read.parts) parts.push(part)
      plain = read.end
    }
    at = read.end
  }
}

/** Backslashes are special only before `$` and a backtick: a pair stands for one, an odd one escapes what follows. */
function readEscape(text: string, at: number): Parts {
  let end = at
  while (text[end] === '\\') end += 1
  const mark = text[end]
  if (mark !== '$' && mark !== '`') return { parts: [], end }
  const slashes = '\\'.repeat(Math.floor((end - at) / 2))
  return (end - at) % 2 === 1 ? { parts: [slashes + mark], end: end + 1 } : { parts: [slashes], end }
}

/** @returns no parts when the text is left as written */
function readMark(reader: Reader, at: number, depth: number): Parts {
  return reader.text[at] === '`' ? readCommand(reader.text, at) : readDollar(reader, at, depth)
}

function readCommand(text: string, at: number): Parts {
  const closing = /`|\\[^]/g
  closing.lastIndex = at + 1
  let mark = closing.exec(text)
  while (mark !== null && mark[0] !== '`') mark = closing.exec(text)
  if (mark === null) return { parts: [], end: at + 1 }
  const command = text.slice(at + 1, mark.index).replaceAll('\\`', '`')
  return { parts: [{ command }], end: mark.index + 1 }
}

function readDollar(reader: Reader, at: number, depth: number): Parts {
  const { text, scope } = reader
  const reference = readReference(text, at, scope)
  if (reference === undefined) return { parts: [], end: at + 1 }
  const { end, path, value } = reference
  if (end === undefined) return readDefault(reader, at, reference, depth)
  const quoted = text[at - 1] === "'" && text[end] === "'" && path.length === 0
  if (quoted) return { parts: [], end }
  if (value !== undefined) return { parts: [traced(value, reference, scope)], end }
  return path.length > 0 || reader.keepUnknown ? { parts: [], end } : { parts: [''], end }
}

/** `${NAME:-text}`, `${NAME-text}`, `${NAME:+text}`, `${NAME+text}`; anything else in braces is left as written. */
function readDefault(reader: Reader, at: number, reference: Reference, depth: number): Parts {
  const { headEnd, value } = reference
  const hasPath = reference.path.length > 0
  const operator = /^:?[-+]/.exec(reader.text.slice(headEnd, headEnd + 2))?.[0]
  if (operator === undefined || depth >= nestingMax || (hasPath && value === undefined)) {
    return { parts: [], end: at + 2 }
  }
  const wordStart = headEnd + operator.length
  const word = readParts(reader, wordStart, 'default', depth + 1)
  // The brace is never closed, so this is no default. The parts read so far are reused, since reading them again would
  // double the work per level.
  if (reader.text[word.end] !== '}') {
    return { parts: [reader.text.slice(at, wordStart), ...word.parts], end: word.end }
  }
  const end = word.end + 1
  const isSet = operator.startsWith(':') ? (value ?? '') !== '' : value !== undefined
  if (operator.endsWith('-'))
    return { parts: isSet ? [traced(value ?? '', reference, reader.scope)] : word.parts, end }
  return { parts: isSet ? word.parts : [''], end }
}

/** A member or a slice of a value that is partly foreign counts as foreign; so does what a step has put out. */
function traced(text: string, { name, path, meaning }: Reference, scope: Scope): Traced {
  if (meaning === 'file') return { text, own: text.length }
  if (path.length > 0 && scope.steps.has(name)) return { text, own: 0 }
  const own = scope.foreign?.get(name)
  if (own === undefined) return { text, own: text.length }
  return { text, own: text === scope.variables.get(name) ? own : 0 }
}

async function fillParts(
  parts: readonly Part[],
  effort: Effort,
  run: (command: string) => Promise<string>,
): Promise<ExpandedPart[]> {
  const filled: ExpandedPart[] = []
  let length = 0
  for (const part of parts) {
    // Awaits only commands: a text may have a hundred thousand references.
    const piece =
      typeof part === 'object' && 'command' in part ? await runPart(part.command, run) : filledPart(part)
    length += piece.text.length
    if (length > limits.valueLengthMax) {
      throw badRequest(`a value would be longer than ${limits.valueLengthMax} characters`)
    }
    effort.spend(piece.text.length)
    filled.push(piece)
  }
  return filled
}

async function runPart(command: string, run: (command: string) => Promise<string>): Promise<ExpandedPart> {
  return { text: await run(command), own: 0, isValue: true }
}

function filledPart(part: string | Traced): ExpandedPart {
  return typeof part === 'string'
    ? { text: part, own: part.length, isValue: false }
    : { text: part.text, own: part.own, isValue: true }
}
