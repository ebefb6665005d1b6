import { setImmediate } from 'node:timers/promises'
import { RE2JS } from 're2js'
import { badRequest, messageOf } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { lineFeed } from '#lib/logs/scan-lines.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'

export interface LogSearch {
  readonly text: string
  readonly isPattern: boolean
  readonly isCaseSensitive: boolean
  /** Number of the first line to look at. */
  readonly from: number
  /** Matching lines at most. */
  readonly limit: number
}

/** Where a line has its first match, in characters. */
type Find = (line: string) => readonly [start: number, end: number] | undefined

/** Longest time for which a search may block the process. */
const turnMs = 10

/**
 * Searches a log line by line. The time is linear in the log (RE2), and bounded: to search further, continue at `next`.
 * Of a line, only the first `limits.searchedLineBytesMax` bytes are looked at, and fewer by large expressions.
 * @returns JSON lines: the matches, and then how far the search came
 * @throws ServiceError `bad_request` for an expression that RE2 does not take
 */
export function searchLog(logs: LogStore, key: LogKey, search: LogSearch): AsyncGenerator<Uint8Array> {
  const find = finder(search)
  const deadline = performance.now() + limits.logSearchMsMax
  return scan()

  async function* scan(): AsyncGenerator<Uint8Array> {
    const { start, lineCount } = await logs.locate(key, { from: 'start', offset: search.from, limit: 1 }, 1)
    let [line, matches, isDone] = [search.from, 0, true]
    let turnEnd = performance.now() + turnMs
    for await (const text of lineCount === 0 ? [] : linesOf(logs.read(key, start))) {
      const now = performance.now()
      if (matches >= search.limit || now > deadline) {
        isDone = false
        break
      }
      if (now > turnEnd) {
        await setImmediate()
        turnEnd = performance.now() + turnMs
      }
      const at = find(text)
      if (at !== undefined) {
        matches += 1
        yield written({ line, ...shown(text, at) })
      }
      line += 1
    }
    const scannedLines = line - search.from
    yield written({ done: isDone, matches, scannedLines, ...(!isDone && { next: line }) })
  }
}

const written = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`)

function finder({ text, isPattern, isCaseSensitive }: LogSearch): Find {
  const flags = isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE
  if (!isPattern && isCaseSensitive) {
    return (line) => {
      const start = line.indexOf(text)
      return start < 0 ? undefined : [start, start + text.length]
    }
  }
  const pattern = isPattern ? compile(text, flags) : RE2JS.compile(RE2JS.quote(text), flags)
  const charactersMax = Math.floor(limits.searchWorkMax / pattern.programSize())
  return (line) => {
    const matcher = pattern.matcher(line.slice(0, charactersMax))
    return matcher.find() ? [matcher.start(), matcher.end()] : undefined
  }
}

function compile(text: string, flags: number): RE2JS {
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(text, flags)
  } catch (error) {
    throw badRequest(`q: is not an RE2 expression: ${messageOf(error).slice(0, 200)}`)
  }
  if (pattern.programSize() <= limits.searchProgramMax) return pattern
  throw badRequest('q: repeats too much; use smaller counts')
}

/** The part of a line around a match. */
function shown(
  line: string,
  [start, end]: readonly [number, number],
): { text: string; at: [number, number] } {
  const most = limits.shownMatchLengthMax
  const begin = line.length <= most ? 0 : Math.max(0, Math.min(start - most / 4, line.length - most))
  const text = line.slice(begin, begin + most).toWellFormed()
  return { text, at: [start - begin, Math.min(end - begin, most)] }
}

/** The beginnings of all lines. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Buffer[] = []
  let size = 0
  const keep = (bytes: Uint8Array): void => {
    const kept = bytes.subarray(0, limits.searchedLineBytesMax - size)
    rest.push(Buffer.from(kept))
    size += kept.length
  }
  let isOpen = false
  for await (const piece of pieces) {
    let at = 0
    for (let feed = piece.indexOf(lineFeed); feed >= 0; feed = piece.indexOf(lineFeed, at)) {
      keep(piece.subarray(at, feed))
      yield Buffer.concat(rest).toString('utf8')
      ;[rest, size, isOpen] = [[], 0, false]
      at = feed + 1
    }
    if (at === piece.length) continue
    keep(piece.subarray(at))
    isOpen = true
  }
  if (isOpen) yield Buffer.concat(rest).toString('utf8')
}
