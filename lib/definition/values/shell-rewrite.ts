import { type BoundedScope, type Reference, readReference } from './reference.ts'
import { type Frame, type HereDocument, openFrame } from './shell-syntax.ts'

/** The state of one pass over a program: everything that changes except the text itself. */
export interface Walk {
  readonly text: string
  readonly values: ShellValues
  frames: Frame[]
  here: HereDocument[]
  /** Nesting depth of here-documents within substitutions of here-documents. */
  depth: number
  readonly out: string[]
  copied: number
}

/** The frame at the current position; there is always one. */
export function innermost(walk: Walk): Frame {
  return walk.frames.at(-1) ?? openFrame('code')
}

/** Inserts a reference within single quotes: closes them before it, and reopens them with `reopen`. */
export function fillQuoted(walk: Walk, from: number, until: number, reopen: string): void {
  const dollars = /\$/g
  const body = walk.text.slice(from, until)
  for (let dollar = dollars.exec(body); dollar !== null; dollar = dollars.exec(body)) {
    const at = from + dollar.index
    const reference = readReference(walk.text, at, walk.values.scope)
    const end = reference?.end
    if (reference === undefined || end === undefined || end > until || !needsRewriting(reference)) continue
    replace(walk, at, end, `'"\${${walk.values.nameFor(walk.text.slice(at, end), reference)}}"${reopen}`)
    dollars.lastIndex = end - from
  }
}

/** @returns the offset at which reading continues; undefined when the reference is left to the shell */
export function rewrite(walk: Walk, at: number, reference: Reference): number | undefined {
  const { name, path, end, headEnd } = reference
  if (path.length === 0 && /^\d{2,}$/.test(name) && walk.text[at + 1] !== '{' && reference.exists) {
    // A shell reads $10 as $1 followed by 0.
    replace(walk, at, headEnd, `\${${name}}`)
    return headEnd
  }
  if (!needsRewriting(reference)) return undefined
  if (end !== undefined) {
    const variable = `\${${walk.values.nameFor(walk.text.slice(at, end), reference)}}`
    replace(walk, at, end, reference.meaning === 'file' && splitsWords(walk) ? `"${variable}"` : variable)
    return end
  }
  if (!/[-:+?=#%/^,@]/.test(walk.text.charAt(headEnd))) return undefined
  replace(walk, at, headEnd, `\${${walk.values.nameFor(walk.text.slice(at, headEnd), reference)}`)
  const { kind, quoted } = innermost(walk)
  walk.frames.push(openFrame('parameter', quoted || kind === 'double' || kind === 'heredoc'))
  return headEnd
}

function needsRewriting(reference: Reference): boolean {
  const { name, path, value, exists } = reference
  if (value === undefined) return false
  if (path.length === 0) return !/^(?:[A-Za-z_][A-Za-z0-9_]*|\d+)$/.test(name)
  // `${NAME[0]}` may also be an array of the shell itself.
  return typeof path[0] === 'string' || exists
}

/** Whether the shell would split an unquoted variable into words here, and quotes prevent that. */
function splitsWords(walk: Walk): boolean {
  const { kind } = innermost(walk)
  return (
    kind === 'code' ||
    kind === 'substitution' ||
    (kind === 'backtick' && !walk.frames.some((one) => one.quoted))
  )
}

function replace(walk: Walk, from: number, until: number, replacement: string): void {
  walk.out.push(walk.text.slice(walk.copied, from), replacement)
  walk.copied = until
}

/** The generated variables of the programs of a step. */
export class ShellValues {
  readonly scope: BoundedScope
  readonly env: Record<string, string> = {}
  /** Names by what they stand for. */
  readonly #names = new Map<string, string>()
  readonly #prefix: string

  constructor(texts: readonly string[], scope: BoundedScope) {
    this.scope = scope
    this.#prefix = freePrefix(texts, scope)
  }

  /**
   * The generated variable for a reference; equal references share one. NUL characters are dropped, as no environment
   * can hold them.
   */
  nameFor(text: string, reference: Reference): string {
    const written = text.replaceAll(/^\$\{?|\}$/g, '')
    const known = this.#names.get(written)
    if (known !== undefined) return known
    const name = `${this.#prefix}${this.#names.size + 1}`
    const value = reference.value ?? ''
    this.scope.effort.spend(value.length)
    this.#names.set(written, name)
    this.env[name] = value.replaceAll('\0', '')
    return name
  }
}

/** A prefix for generated names that begins no name in the programs and the scope. */
function freePrefix(texts: readonly string[], scope: BoundedScope): string {
  const names = [...scope.variables.keys()].filter((name) => name.startsWith('MILLRACE_VALUE_'))
  const taken = new Set<string>()
  for (const text of [...texts, ...names]) {
    for (const [, number = ''] of text.matchAll(/MILLRACE_VALUE_(?:X(\d{1,9})_)?/g)) taken.add(number)
  }
  if (taken.size === 0) return 'MILLRACE_VALUE_'
  let number = 1
  while (taken.has(`${number}`)) number += 1
  return `MILLRACE_VALUE_X${number}_`
}
