import { lookForPattern, type Slices } from './line-patterns.ts'
import { readPattern } from './pattern.ts'

/**
 * Whether any line of `actual`, or all of it, equals `expected`; with `re:`, whether the pattern matches within any
 * line.
 * @param actual the condition after expansion
 * @throws ServiceError `bad_request` for an invalid pattern
 */
export function* conditionMatches(actual: string, expected: string): Slices<boolean> {
  if (actual === expected) return true
  if (!expected.startsWith('re:')) return hasLine(actual, expected)
  return yield* lookForPattern(expected.slice(3))(`${actual}\n`, true)
}

/** The fault of an `expected` text, or undefined; for the author of a definition. */
export function expectedFault(expected: string): string | undefined {
  if (!expected.startsWith('re:')) return undefined
  const pattern = readPattern(expected.slice(3))
  return 'fault' in pattern ? pattern.fault : undefined
}

function hasLine(text: string, wanted: string): boolean {
  for (let at = 0; at <= text.length;) {
    const feed = text.indexOf('\n', at)
    const next = feed < 0 ? text.length : feed
    const end = next > at && text[next - 1] === '\r' ? next - 1 : next
    if (end - at === wanted.length && text.startsWith(wanted, at)) return true
    at = next + 1
  }
  return false
}
