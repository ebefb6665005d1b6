import { blanksEnd, isBlank, isJson, stringEnd, valueEnd } from './json-scan.ts'

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
  if (!isJson(text)) return undefined
  const start = blanksEnd(text, 0)
  return { text, start, end: valueEnd(text, start) }
}

const quote = 0x22

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
    const start = blanksEnd(text, blanksEnd(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    yield [contentOf(text.slice(at, keyEnd)), { text, start, end }]
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

/**
 * One element of an array, of which -1 is the last one; undefined for other values. It takes a fraction of the time of
 * {@link elementsOf}, which makes an object for each.
 */
export function elementAt(span: JsonSpan, index: number): JsonSpan | undefined {
  if (kindOf(span) !== 'array') return undefined
  const { text } = span
  const first = blanksEnd(text, span.start + 1)
  let left = index
  if (index < 0) for (let at = first; at < span.end - 1; at = nextItem(text, valueEnd(text, at))) left += 1
  if (left < 0) return undefined
  for (let start = first; start < span.end - 1;) {
    const end = valueEnd(text, start)
    if (left-- === 0) return { text, start, end }
    start = nextItem(text, end)
  }
  return undefined
}

/** One member of an object, the last of repeated ones; undefined for other values. See {@link elementAt}. */
export function memberNamed(span: JsonSpan, key: string): JsonSpan | undefined {
  if (kindOf(span) !== 'object') return undefined
  const { text } = span
  let found: JsonSpan | undefined
  for (let at = blanksEnd(text, span.start + 1); text[at] === '"';) {
    const keyEnd = stringEnd(text, at)
    const start = blanksEnd(text, blanksEnd(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    if (isKey(text, at, keyEnd, key)) found = { text, start, end }
    at = nextItem(text, end)
  }
  return found
}

function isKey(text: string, start: number, end: number, key: string): boolean {
  if (text.startsWith(key, start + 1) && end - start === key.length + 2) return true
  // An escape takes more room than the character that it stands for.
  return end - start > key.length + 2 && contentOf(text.slice(start, end)) === key
}

/** A value as text: a string without quotes, null as empty, objects and arrays without blanks, others as written. */
export function plainText(span: JsonSpan): string {
  const written = span.text.slice(span.start, span.end)
  const kind = kindOf(span)
  if (kind === 'string') return contentOf(written)
  if (kind === 'null') return ''
  return kind === 'object' || kind === 'array' ? withoutBlanks(written) : written
}

/** What a JSON string says. */
function contentOf(written: string): string {
  return written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1)
}

function withoutBlanks(written: string): string {
  if (!/\s/.test(written)) return written
  const kept = new Uint16Array(written.length)
  let size = 0
  for (let at = 0; at < written.length; at++) {
    const mark = written.charCodeAt(at)
    if (isBlank(mark)) continue
    kept[size++] = mark
    if (mark !== quote) continue
    for (const end = stringEnd(written, at) - 1; at < end;) kept[size++] = written.charCodeAt(++at)
  }
  return Buffer.from(kept.buffer, 0, size * 2).toString('utf16le')
}

/** Skips from the end of a value to the next key or element, or to the closing bracket. */
function nextItem(text: string, from: number): number {
  const at = blanksEnd(text, from)
  return text[at] === ',' ? blanksEnd(text, at + 1) : at
}
