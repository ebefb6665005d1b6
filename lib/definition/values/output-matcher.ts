import { ByteSearch } from '#lib/core/byte-search.ts'
import { lookForPattern, type Look, type Slices } from './line-patterns.ts'

/** Searches the output of a step while it is written. */
export interface OutputMatcher {
  /** Takes the next piece, which may be cut anywhere, even within a character. */
  readonly push: (chunk: Uint8Array) => Slices<void>
  /** Ends the output. @returns whether anything was found */
  readonly end: () => Slices<boolean>
}

/**
 * Searches for `continueOn.output`: literal texts anywhere in the output, `re:` patterns within its lines. Memory is
 * bounded: of a long line, a pattern sees one part after the other.
 * @throws ServiceError `bad_request` for an invalid pattern
 */
export function outputMatches(wanted: readonly string[]): OutputMatcher {
  const isPattern = (text: string): boolean => text.startsWith('re:')
  const lookForText = textLook(wanted.filter((text) => !isPattern(text)))
  const looks = wanted.filter(isPattern).map((text) => lookForPattern(text.slice(3)))
  const decoder = new TextDecoder()
  let found = false
  return {
    *push(chunk) {
      found ||= lookForText(chunk)
      if (!found && looks.length > 0)
        found = yield* anyOf(looks, decoder.decode(chunk, { stream: true }), false)
    },
    *end() {
      if (!found) found = yield* anyOf(looks, decoder.decode(), true)
      return found
    },
  }
}

function* anyOf(looks: readonly Look[], text: string, isLast: boolean): Slices<boolean> {
  for (const look of looks) if (yield* look(text, isLast)) return true
  return false
}

function textLook(texts: readonly string[]): (chunk: Uint8Array) => boolean {
  const search = new ByteSearch(texts.map((text) => new TextEncoder().encode(text)))
  let state = 0
  return (chunk) => {
    for (let at = 0; texts.length > 0 && at < chunk.length; at++) {
      state = search.next(state, chunk[at] ?? 0)
      if (search.foundLength(state) > 0) return true
    }
    return false
  }
}
