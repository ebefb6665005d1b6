import { closeSync, writeSync } from 'node:fs'
import { FileError } from '#lib/files/file-error.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import type { LogPiece } from './log-store.ts'
import { openLogToAppend } from './open-log.ts'

/** What a writer knows of the times that it has noted for a log. */
export interface NotedTimes {
  /** When the log began, and when the last note was made; milliseconds since 1970. */
  readonly first: number
  readonly last: number
  /** The beginning of the log, which is noted with the second piece: most logs have one piece only. */
  readonly pending?: LogPiece
}

/** Least time between two notes, milliseconds. */
const leastMs = 1_000
/** Notes of an old log stand farther apart, by this part of its age, so that their file stays small. */
const partOfAge = 1 / 2_000

/**
 * Notes in a file beside a log when its parts were stored, about each second. A log that was written at once has none.
 * @returns what the writer is to remember
 */
export function noteTime(
  path: string,
  piece: LogPiece & { readonly at: number },
  known?: NotedTimes,
): NotedTimes {
  const { at } = piece
  if (known === undefined) {
    if (piece.start === 0) return { first: at, last: at, pending: piece }
    append(path, [piece])
    return { first: at, last: at }
  }
  if (at - known.last < Math.max(leastMs, (at - known.first) * partOfAge)) return known
  append(path, known.pending === undefined ? [piece] : [known.pending, piece])
  return { first: known.first, last: at }
}

/** The notes of a log, in order. */
export function readTimes(path: string): LogPiece[] {
  return readNotes(indexOf(path))
    .split('\n')
    .flatMap((line) => {
      const [, start, feeds, at] = /^(\d+) (\d+) (\d+)\.$/.exec(line) ?? []
      return start === undefined ? [] : [{ start: Number(start), feeds: Number(feeds), at: Number(at) }]
    })
}

/** A full disk may truncate a note, so each ends with a full stop; one without it is ignored. */
function append(path: string, pieces: readonly LogPiece[]): void {
  const file = openLogToAppend(indexOf(path))
  try {
    writeSync(file, pieces.map(({ start, feeds, at }) => `\n${start} ${feeds} ${at}.`).join(''))
  } finally {
    closeSync(file)
  }
}

function readNotes(path: string): string {
  try {
    return readSmallFile(path, { what: 'log', followsLinks: false }).toString('utf8')
  } catch (error) {
    if (error instanceof FileError) return ''
    throw error
  }
}

const indexOf = (path: string): string => `${path}.times`
