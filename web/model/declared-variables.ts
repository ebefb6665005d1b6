import {
  indentOf,
  isBlank,
  isBoundary,
  opensText,
  readLine,
  type LineToken,
  type YamlLine,
} from './yaml-line.ts'

/** A variable that a file declares. */
export interface Declared {
  readonly name: string
  readonly kind: 'param' | 'env' | 'secret' | 'output' | 'id' | 'step env'
  /** Counted from 0. */
  readonly line: number
}

type Kept = Omit<Declared, 'line'>

/** The first and last line of the document that a line is in. */
export function documentAround(lines: readonly string[], number: number): readonly [number, number] {
  let first = number
  while (first > 0 && !isBoundary(lines[first] ?? '')) first--
  let last = number
  while (last + 1 < lines.length && !isBoundary(lines[last + 1] ?? '')) last++
  return [first, last]
}

/** The variables that a document declares, in order, as far as a text that may not be valid YAML shows them. */
export function declaredVariables(lines: readonly string[], number: number): Declared[] {
  const [first, last] = documentAround(lines, number)
  const found: Declared[] = []
  const around: LineToken[] = []
  let textColumn = Infinity
  let described: string | undefined
  for (let at = first; at <= last; at++) {
    const text = lines[at] ?? ''
    if (isBoundary(text) || isBlank(text) || indentOf(text) > textColumn) continue
    const line = readLine(text)
    textColumn = opensText(line) ? (line.tokens.at(-1)?.column ?? Infinity) : Infinity
    for (const token of line.tokens) enter(around, token)
    const path = around.flatMap(({ key }) => key ?? [])
    if (line.tokens.some(({ key }) => key === undefined)) described = undefined
    if (path.length === 2 && path[1] === 'name') described = plain(line.rest)
    const own = kept(path, line, described).map((one) => ({ ...one, line: at }))
    // A map that describes a param has no param called name.
    if (own[0]?.kind === 'param' && own[0].name === described && found.at(-1)?.name === 'name') found.pop()
    found.push(...own)
  }
  return found
}

/** Closes the blocks that end where a token begins. The items of a list may be in the column of their key. */
function enter(around: LineToken[], token: LineToken): void {
  const isOver = ({ column, key }: LineToken): boolean =>
    column > token.column || (column === token.column && (token.key !== undefined || key === undefined))
  while (around.length > 0 && isOver(around.at(-1) ?? token)) around.pop()
  around.push(token)
}

function kept(path: readonly string[], { tokens, rest }: YamlLine, described: string | undefined): Kept[] {
  const isItem = tokens.at(-1)?.key === undefined
  const inner = path.slice(1)
  switch ((path[0] ?? '').toLowerCase()) {
    case 'params':
      return paramsOf(inner, rest, described).map((name) => ({ name, kind: 'param' }))
    case 'env':
      return entriesOf(inner, rest).map((name) => ({ name, kind: 'env' }))
    case 'secrets':
      return valuesOf('name', inner, rest).map((name) => ({ name, kind: 'secret' }))
    case 'steps':
    case 'handleron':
      return ofStep(inner, rest, isItem)
    default:
      return []
  }
}

/** Keys that describe a param, in a map that names one. */
const describing = /^(type|default|description|title|enum|choices|options|pattern|required|(min|max)\w*)$/i

function paramsOf(path: readonly string[], rest: string, described: string | undefined): string[] {
  const [key = '', ...inner] = path
  if (key === 'values') return entriesOf(inner, rest)
  if (key === 'schema') return inner.length === 2 && inner[0] === 'properties' ? inner.slice(1) : []
  const typed = /^\{.*?\bname:\s*["']?([A-Za-z_][\w-]*)/.exec(rest)?.[1]
  if (typed !== undefined) return [typed]
  return described !== undefined && describing.test(key) ? [described] : entriesOf(path, rest)
}

/** `NAME: value`, `NAME=value …`, `{NAME: value}`, `[NAME: value]`. */
function entriesOf(path: readonly string[], rest: string): string[] {
  if (path.length > 0) return path.length === 1 ? [...path] : []
  const pattern = /^[[{]/.test(rest)
    ? /[[{,]\s*\{?\s*["']?([A-Za-z_][\w-]*)\s*[:=]/g
    : /(?:^|[\s"'])([A-Za-z_][\w-]*)=/g
  return [...rest.matchAll(pattern)].map(([, name = '']) => name)
}

function ofStep(path: readonly string[], rest: string, isItem: boolean): Kept[] {
  const key = isItem ? '' : (path.at(-1) ?? '')
  const holder = path.at(-2)
  if (holder === 'env' && key !== '') return [{ name: key, kind: 'step env' }]
  if (path.at(-1) === 'env') return entriesOf([], rest).map((name) => ({ name, kind: 'step env' }))
  if (rest.startsWith('{') && (isItem || key !== 'output')) {
    return [
      ...flowValues('output', rest).map((name): Kept => ({ name, kind: 'output' })),
      ...flowValues('id', rest).map((name): Kept => ({ name, kind: 'id' })),
    ]
  }
  const outputs = holder === 'output' ? valuesOf('name', path, rest) : valuesOf('output', path, rest)
  return [
    ...outputs.map((name): Kept => ({ name: name.replace(/^\$\{?|\}$/g, ''), kind: 'output' })),
    ...(path.length <= 2 ? valuesOf('id', path, rest) : []).map((name): Kept => ({ name, kind: 'id' })),
  ]
}

/** The values of a key on a line, also within brackets. */
function valuesOf(wanted: string, path: readonly string[], rest: string): string[] {
  if (rest.startsWith('{')) return flowValues(path.at(-1) === 'output' ? 'name' : wanted, rest)
  const value = path.at(-1) === wanted ? plain(rest) : ''
  return value === '' ? [] : [value]
}

const flowValues = (key: string, rest: string): string[] =>
  [...rest.matchAll(new RegExp(`[{,]\\s*${key}:\\s*["']?([\\w.$-]+)`, 'g'))].map(([, name = '']) => name)

/** A value without quotes and comment. */
const plain = (rest: string): string => /^["']?([\w.${}-]+)/.exec(rest)?.[1] ?? ''
