import { limits } from '#lib/core/limits.ts'
import type { ParamDefault } from '#lib/definition/definition.ts'
import { elementsOf, kindOf, membersOf, plainText, readJson } from '#lib/definition/values/json-text.ts'

const name = /([A-Za-z_][A-Za-z0-9_.-]*|[1-9]\d*)=/y
const bare = /\S*/y
const blanks = /\s*/y

/**
 * Parses params written as text: `p1 "p 2" K=V K2="a b"`. A value may be in double quotes (with `\"` for a quote), in
 * single quotes, or a command in backticks, which are kept. Quotes that do not enclose a whole value are ordinary
 * characters. The text before `=` is a name only if it looks like one, so an address with `?a=b` is a value.
 */
export function readParamText(text: string): ParamDefault[] {
  const params: ParamDefault[] = []
  for (let at = end(blanks, text, 0); at < text.length; at = end(blanks, text, at)) {
    const named = match(name, text, at)
    const start = named === undefined ? at : name.lastIndex
    const value = readValue(text, start)
    params.push({ name: named?.[1], value: value.text })
    at = value.end
  }
  return params
}

/**
 * Parses the params of a caller: a JSON object (by name), a JSON array (by position), or text as above. Values are
 * text: numbers and booleans as written, null as empty, objects and arrays as JSON. Text that begins with `{` but is
 * not JSON is a list of values without names.
 */
export function readGivenParams(given: string | undefined): ParamDefault[] {
  const text = (given ?? '').trim()
  if (text.startsWith('{') || text.startsWith('[')) {
    const json = readJson(text)
    if (json !== undefined && kindOf(json) === 'object') {
      return [...membersOf(json)].map(([name, value]) => ({ name, value: plainText(value) }))
    }
    if (json !== undefined)
      return [...elementsOf(json)].map((value) => ({ name: undefined, value: plainText(value) }))
    if (text.startsWith('{')) return readValues(text)
  }
  return readParamText(text)
}

/** Why there are too many params; undefined: there are not. */
export function paramCountFault(given: readonly ParamDefault[]): string | undefined {
  if (given.length <= limits.paramsMax) return undefined
  return `${given.length} are given, and a run takes at most ${limits.paramsMax}`
}

/** The position that a name such as `2` stands for, from 1; undefined for other names. */
export function positionOf(name: string): number | undefined {
  if (!/^[1-9]\d{0,4}$/.test(name)) return undefined
  const position = Number(name)
  return position <= limits.positionalParamsMax ? position : undefined
}

function readValues(text: string): ParamDefault[] {
  const params: ParamDefault[] = []
  for (let at = 0; at < text.length; at = end(blanks, text, at)) {
    const value = readValue(text, at)
    params.push({ name: undefined, value: value.text })
    at = value.end
  }
  return params
}

function readValue(text: string, at: number): { readonly text: string; readonly end: number } {
  const quote = text.charAt(at)
  const close = /["'`]/.test(quote) ? closingQuote(text, at, quote) : undefined
  if (close !== undefined && /^\s?$/.test(text.charAt(close + 1))) {
    const inner = text.slice(at + 1, close)
    const value = quote === '"' ? unescaped(inner) : quote === "'" ? inner : `\`${inner}\``
    return { text: value, end: close + 1 }
  }
  const word = match(bare, text, at)?.[0] ?? ''
  return { text: word, end: at + word.length }
}

/** In single quotes everything is literal. For other quotes, an odd number of backslashes before one escapes it. */
function closingQuote(text: string, at: number, quote: string): number | undefined {
  for (let close = text.indexOf(quote, at + 1); close >= 0; close = text.indexOf(quote, close + 1)) {
    let slashes = 0
    while (text[close - 1 - slashes] === '\\') slashes += 1
    if (quote === "'" || slashes % 2 === 0) return close
  }
  return undefined
}

/** Backslashes are special only before a double quote or the end: there, a pair stands for one. */
function unescaped(inner: string): string {
  return inner.replaceAll(/(\\+)("?)/g, (all: string, slashes: string, quote: string, at: number) => {
    const counts = quote !== '' || at + all.length === inner.length
    return counts ? '\\'.repeat(Math.floor(slashes.length / 2)) + quote : all
  })
}

function match(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at
  return form.exec(text) ?? undefined
}

function end(form: RegExp, text: string, at: number): number {
  match(form, text, at)
  return form.lastIndex
}
