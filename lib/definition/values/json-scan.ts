/**
 * JSON without objects: `JSON.parse` makes one for each value, and takes seconds for 16 MiB of brackets. This takes
 * about ten nanoseconds a character, whatever the text is.
 */
const code = (letter: string): number => letter.charCodeAt(0)
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')]
const [minus, plus, point, zero, nine] = [code('-'), code('+'), code('.'), code('0'), code('9')]
/** `{` and `}`; with {@link lower}, so are `[` and `]`. */
const [open, close] = [code('{'), code('}')]
const [lower, isArray, isObject] = [0x20, 0, 1]
const failed = -1

/** Whether the text is exactly one JSON value, as `JSON.parse` decides it, with at most this many brackets open. */
export function isJson(text: string, depthMax = Infinity): boolean {
  /** The kinds of the brackets that are open. */
  let kinds = new Uint8Array(64)
  let depth = 0
  let at = blanksEnd(text, 0)
  for (;;) {
    const first = text.charCodeAt(at)
    if ((first | lower) === open) {
      const kind = first === open ? isObject : isArray
      at = blanksEnd(text, at + 1)
      if (text.charCodeAt(at) !== first + 2) {
        if (depth >= depthMax) return false
        if (depth === kinds.length) kinds = widened(kinds)
        kinds[depth++] = kind
        if (kind === isObject) at = keyEnd(text, at)
        if (at === failed) return false
        continue
      }
      at += 1
    } else at = first === quote ? checkedStringEnd(text, at) : scalarEnd(text, at)
    if (at === failed) return false
    // Behind a value: brackets close, until another value follows.
    for (;;) {
      at = blanksEnd(text, at)
      if (depth === 0) return at === text.length
      const kind = kinds[depth - 1]
      const mark = text.charCodeAt(at++)
      if (mark === comma) {
        at = blanksEnd(text, at)
        if (kind === isObject) at = keyEnd(text, at)
        if (at === failed) return false
        break
      }
      if (mark !== (kind === isObject ? close : close - lower)) return false
      depth -= 1
    }
  }
}

/** The offset after a value of valid JSON. */
export function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === quote) return stringEnd(text, from)
  if ((first | lower) !== open) return scalarEnd(text, from)
  let depth = 0
  for (let at = from; ; at++) {
    const mark = text.charCodeAt(at)
    if (mark === quote) at = stringEnd(text, at) - 1
    else if ((mark | lower) === open) depth += 1
    else if ((mark | lower) === close && --depth === 0) return at + 1
  }
}

/** The offset after a string of valid JSON. */
export function stringEnd(text: string, from: number): number {
  let at = from
  for (;;) {
    at = text.indexOf('"', at + 1)
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
}

/** Skips blank space. */
export function blanksEnd(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at += 1
  return at
}

export function isBlank(mark: number): boolean {
  return mark === 0x20 || mark === 0x0a || mark === 0x0d || mark === 0x09
}

function widened(kinds: Uint8Array): Uint8Array<ArrayBuffer> {
  const wide = new Uint8Array(kinds.length * 2)
  wide.set(kinds)
  return wide
}

/** Reads a key and its colon. */
function keyEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== quote) return failed
  const end = checkedStringEnd(text, from)
  const at = end === failed ? failed : blanksEnd(text, end)
  return at !== failed && text.charCodeAt(at) === colon ? blanksEnd(text, at + 1) : failed
}

function checkedStringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const mark = text.charCodeAt(at)
    if (mark === quote) return at + 1
    if (mark < 0x20) return failed
    if (mark !== backslash) continue
    at += 1
    const escaped = text.charAt(at)
    if (escaped === 'u' && areHex(text, at + 1)) at += 4
    else if (escaped === '' || !'"\\/bfnrt'.includes(escaped)) return failed
  }
  return failed
}

function areHex(text: string, from: number): boolean {
  return /^[\da-f]{4}$/i.test(text.slice(from, from + 4))
}

function scalarEnd(text: string, from: number): number {
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, from)) return from + word.length
  const start = text.charCodeAt(from) === minus ? from + 1 : from
  let at = text.charCodeAt(start) === zero ? start + 1 : digitsEnd(text, start)
  if (at !== failed && text.charCodeAt(at) === point) at = digitsEnd(text, at + 1)
  if (at === failed || (text.charCodeAt(at) | lower) !== code('e')) return at
  const sign = text.charCodeAt(at + 1)
  return digitsEnd(text, sign === plus || sign === minus ? at + 2 : at + 1)
}

/** At least one digit. */
function digitsEnd(text: string, from: number): number {
  let at = from
  for (let mark = text.charCodeAt(at); mark >= zero && mark <= nine; mark = text.charCodeAt(at)) at += 1
  return at === from ? failed : at
}
