import { badRequest } from '#lib/core/errors.ts'
import { readPattern } from './pattern.ts'

/** Work in slices of a few milliseconds: between two of them, the caller may let others work. */
export type Slices<T> = Generator<undefined, T>

/** Looks at the next piece of a text, which may be cut anywhere. @returns whether a line matches */
export type Look = (text: string, isLast: boolean) => Slices<boolean>

/** Instructions of patterns in one slice, and those that a line takes besides. */
const sliceWork = 300_000
const lineWork = 10
/** Instructions times characters that a pattern sees at once: some ten milliseconds. */
const partWorkMax = 1_000_000
const partLengthMax = 65_536

/**
 * Tries a pattern on each line of a text. Of a line longer than 64 Ki characters (fewer for large patterns), it sees
 * one part after the other.
 * @throws ServiceError `bad_request` for an invalid pattern
 */
export function lookForPattern(source: string): Look {
  const pattern = readPattern(source)
  if ('fault' in pattern) throw badRequest(pattern.fault)
  const { size, test } = pattern
  const partMax = Math.min(partLengthMax, Math.floor(partWorkMax / size))
  let open = ''
  let work = 0
  return function* look(text, isLast) {
    const all = open + text
    if (!isLast && all.length <= partMax && !text.includes('\n')) {
      open = all
      return false
    }
    let at = 0
    let feed = all.indexOf('\n')
    while (feed >= 0 || all.length - at > partMax || (isLast && at < all.length)) {
      const next = feed < 0 ? all.length : feed
      const isLong = next - at > partMax
      const end = isLong ? at + partMax : next
      work += lineWork + (end - at) * size
      if (work > sliceWork) {
        work = 0
        yield
      }
      if (test(all.slice(at, !isLong && all[end - 1] === '\r' ? end - 1 : end))) return true
      at = isLong ? end : end + 1
      if (!isLong && feed >= 0) feed = all.indexOf('\n', at)
    }
    open = isLast ? '' : all.slice(at)
    return false
  }
}
