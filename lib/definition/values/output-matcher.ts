import { badRequest } from '#lib/core/errors.ts'
import { readPattern } from './pattern.ts'

/** Searches the output of a step while it is written. */
export interface OutputMatcher {
  /** Takes the next piece, which may be cut anywhere, even within a character. */
  readonly push: (chunk: Uint8Array | string) => void
  /** Ends the output. @returns whether anything was found */
  readonly end: () => boolean
}

/** When an incomplete line exceeds this length, the pattern is tried on what is there. */
const openLengthMax = 65_536

/**
 * Searches for `continueOn.output`: literal texts anywhere in the output, `re:` patterns within its lines. Memory is
 * bounded: of a line longer than 64 Ki characters, a pattern sees one part after the other.
 * @throws ServiceError `bad_request` for an invalid pattern
 */
export function outputMatches(patterns: readonly string[]): OutputMatcher {
  const looks = patterns.map((pattern) =>
    pattern.startsWith('re:') ? lookForPattern(pattern.slice(3)) : lookForText(pattern),
  )
  const decoder = new TextDecoder()
  let found = false
  const take = (text: string, last: boolean): void => {
    if (!found) found = looks.some((look) => look(text, last))
  }
  return {
    push: (chunk) => take(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }), false),
    end: () => {
      take(decoder.decode(), true)
      return found
    },
  }
}

type Look = (text: string, last: boolean) => boolean

function lookForText(wanted: string): Look {
  let tail = ''
  return (text) => {
    const seen = tail + text
    tail = wanted.length > 1 ? seen.slice(1 - wanted.length) : ''
    return wanted !== '' && seen.includes(wanted)
  }
}

function lookForPattern(source: string): Look {
  const pattern = readPattern(source)
  if ('fault' in pattern) throw badRequest(pattern.fault)
  const matches = (line: string): boolean => pattern.test(line.endsWith('\r') ? line.slice(0, -1) : line)
  let open = ''
  return (text, last) => {
    const lines = (open + text).split('\n')
    open = lines.pop() ?? ''
    if (lines.some(matches)) return true
    if (!last && open.length <= openLengthMax) return false
    const piece = open
    open = ''
    return piece !== '' && matches(piece)
  }
}
