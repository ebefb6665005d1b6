import { badRequest } from '#lib/core/errors.ts'
import { readPattern } from './pattern.ts'

/** Compares one line with an expected text: literally, or by a pattern after `re:`. */
export type Matcher = (line: string) => boolean

/**
 * Whether any line of `actual`, or all of it, equals `expected`; with `re:`, whether the pattern matches within any
 * line.
 * @param actual the condition after expansion
 * @throws ServiceError `bad_request` for an invalid pattern
 */
export function conditionMatches(actual: string, expected: string): boolean {
  if (actual === expected) return true
  const matches = matcherOf(expected)
  return linesOf(actual).some((line) => matches(line))
}

/** The fault of an `expected` text, or undefined; for the author of a definition. */
export function expectedFault(expected: string): string | undefined {
  if (!expected.startsWith('re:')) return undefined
  const pattern = readPattern(expected.slice(3))
  return 'fault' in pattern ? pattern.fault : undefined
}

function matcherOf(expected: string): Matcher {
  if (!expected.startsWith('re:')) return (line) => line === expected
  const pattern = readPattern(expected.slice(3))
  if ('fault' in pattern) throw badRequest(pattern.fault)
  return pattern.test
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}
