/**
 * JSON as text. Values are cut out of the text instead of being parsed into objects, so a number stays as written
 * (12345678901234567890, 1.50), and a key such as `__proto__` is a key like any other.
 */
export interface JsonSpan {
  readonly text: string
  readonly start: number
  /** Offset after the last character of the value. */
  readonly end: number
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** @returns undefined when the text is not exactly one JSON value */
export function readJson(text: string): JsonSpan | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const start = blanksEnd(text, 0)
  return { text, start, end: valueEnd(text, start) }
}

const kinds: Readonly<Record<string, JsonKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
}

export function kindOf(span: JsonSpan): JsonKind {
  return kinds[span.text.charAt(span.start)] ?? 'number'
}

/** Members of an object in the order of the text, including repeated keys; nothing for other values. */
export function* membersOf(span: JsonSpan): Generator<readonly [string, JsonSpan]> {
  if (kindOf(span) !== 'object') return
  const { text } = span
  let at = blanksEnd(text, span.start + 1)
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at)
    const key: unknown = JSON.parse(text.slice(at, keyEnd))
    const start = blanksEnd(text, blanksEnd(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    yield [String(key), { text, start, end }]
    at = nextItem(text, end)
  }
}

/** Elements of an array; nothing for other values. */
export function* elementsOf(span: JsonSpan): Generator<JsonSpan> {
  if (kindOf(span) !== 'array') return
  const { text } = span
  let start = blanksEnd(text, span.start + 1)
  while (start < span.end - 1) {
    const end = valueEnd(text, start)
    yield { text, start, end }
    start = nextItem(text, end)
  }
}

/** A value as text: a string without quotes, null as empty, objects and arrays without blanks, others as written. */
export function plainText(span: JsonSpan): string {
  const written = span.text.slice(span.start, span.end)
  const kind = kindOf(span)
  if (kind === 'string') return String(JSON.parse(written))
  if (kind === 'null') return ''
  return kind === 'object' || kind === 'array' ? withoutBlanks(written) : written
}

function withoutBlanks(written: string): string {
  const parts: string[] = []
  let from = 0
  const marks = /["\s]/g
  for (let mark = marks.exec(written); mark !== null; mark = marks.exec(written)) {
    if (mark[0] === '"') {
      marks.lastIndex = stringEnd(written, mark.index)
    } else {
      parts.push(written.slice(from, mark.index))
      from = mark.index + 1
    }
  }
  parts.push(written.slice(from))
  return parts.join('')
}

function blanksEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1
  return at
}

/** Skips from the end of a value to the next key or element, or to the closing bracket. */
function nextItem(text: string, from: number): number {
  const at = blanksEnd(text, from)
  return text[at] === ',' ? blanksEnd(text, at + 1) : at
}

function stringEnd(text: string, from: number): number {
  let at = from
  for (;;) {
    at = text.indexOf('"', at + 1)
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
}

function valueEnd(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return stringEnd(text, from)
  if (first !== '{' && first !== '[') {
    const scalar = /[^\s,\]}]*/y
    scalar.lastIndex = from
    scalar.exec(text)
    return scalar.lastIndex
  }
  let depth = 0
  const marks = /["[\]{}]/g
  marks.lastIndex = from
  do {
    const mark = marks.exec(text)?.[0]
    if (mark === '"') marks.lastIndex = stringEnd(text, marks.lastIndex - 1)
    else depth += mark === '{' || mark === '[' ? 1 : -1
  } while (depth > 0)
  return marks.lastIndex
}
