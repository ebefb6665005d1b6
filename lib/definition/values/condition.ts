import { badRequest } from '#lib/core/errors.ts'
import { readPattern } from './pattern.ts'

/** What a text that is compared may be: itself, or `re:` and a pattern. */
export type Matcher = (line: string) => boolean

/**
 * Whether any line of `actual`, or the whole of it, is `expected`; with `re:` in front, whether the pattern matches
 * within any line.
 * @param actual the condition with its values put in.
 * @throws ServiceError bad_request when the pattern is none.
 */
export function conditionMatches(actual: string, expected: string): boolean {
  if (actual === expected) return true
  const matches = matcherOf(expected)
  return linesOf(actual).some((line) => matches(line))
}

/** What is wrong with an `expected` text, or undefined: for the reader of a definition. */
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
