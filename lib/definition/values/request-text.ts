import type { TextPart } from './expand.ts'
import { isJson } from './json-scan.ts'
import { fillAddress } from './request-address.ts'

/**
 * The command of an http step, a method and an address, from its parts. A command that is nothing but values is as they
 * are.
 * @throws Error that names the position where a value would change the request
 */
export function requestLine(parts: readonly TextPart[]): string {
  const split = splitAtBlank(parts)
  if (split === undefined) return parts.map(({ text }) => text).join('')
  const method = split.before.map(({ text }) => text).join('')
  if (split.before.some(({ isValue }) => isValue) && !/^\s*[A-Za-z]+$/.test(method)) {
    throw new Error('a value in the method of a request must be letters')
  }
  return `${method} ${fillAddress(split.behind)}`
}

/** Splits at the first blank that the file has written behind something. */
function splitAtBlank(parts: readonly TextPart[]): { before: TextPart[]; behind: TextPart[] } | undefined {
  let hasBegun = false
  for (const [position, { text, isValue }] of parts.entries()) {
    const from = hasBegun || isValue ? 0 : text.length - text.trimStart().length
    const at = isValue ? -1 : text.slice(from).search(/\s/)
    if (at >= 0 && (hasBegun || at > 0)) {
      const before = { text: text.slice(0, from + at), isValue: false }
      const behind = { text: text.slice(from + at).trimStart(), isValue: false }
      const rest = parts.slice(position + 1)
      if (behind.text === '' && rest.length === 0) return undefined
      return { before: [...parts.slice(0, position), before], behind: [behind, ...rest] }
    }
    hasBegun ||= text.trim() !== ''
  }
  return undefined
}

/**
 * JSON from its parts: within quotes, a value is escaped; elsewhere it must be JSON itself.
 * @throws Error when it is not
 */
export function jsonFromParts(parts: readonly TextPart[]): string {
  let isQuoted = false
  let filled = ''
  for (const { text, isValue } of parts) {
    if (!isValue) {
      filled += text
      // An escaped quote neither opens nor closes.
      for (const mark of text.match(/\\.|"/gs) ?? []) if (mark === '"') isQuoted = !isQuoted
    } else if (isQuoted) filled += JSON.stringify(text).slice(1, -1)
    else {
      if (!isJson(text))
        throw new Error('a value outside of quotes in the script of an http step must be JSON')
      filled += text
    }
  }
  return filled
}
