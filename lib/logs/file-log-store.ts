import { closeSync, createReadStream, fstatSync, openSync, renameSync, write, writeSync } from 'node:fs'
import { lstat, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import { codeOf } from '#lib/db/errors.ts'
import { fitLines, linesOf, noLines } from './fit-lines.ts'
import { appendMark, markBefore, readMarks, type LineMark } from './line-index.ts'
import type { LogKey, LogPiece, LogSpan, LogStore, LogWindow } from './log-store.ts'
import { makeFolder } from '#lib/files/make-folder.ts'
import { openLogToAppend, openLogToRead } from './open-log.ts'
import { countFeeds, countLines, lineFeed, scanLines } from './scan-lines.ts'
import { noteTime, readTimes, type NotedTimes } from './time-index.ts'

/**
 * Stores each stream as a plain file below `folder`, so that steps of the same user can read it as `${id.stdout}`;
 * other users can read none. One writer per stream. No part of a path is unescaped input: step names are encoded.
 */
export function createFileLogStore(folder: string): LogStore {
  const top = join(folder, sep)
  const pathOf = (key: LogKey): string =>
    `${top}${folderOf(key.runKey)}${sep}${key.runKey}-${key.attempt}-${fileOf(key)}`
  const written = new RecentlyUsed<Written>(streamsMax)
  const remember = (path: string, state: Written): void => written.set(path, state, 1)
  /** Of the streams to which more may come. */
  const files = new Map<string, number>()
  const close = (path: string): void => {
    const file = files.get(path)
    files.delete(path)
    try {
      if (file !== undefined) closeSync(file)
    } catch {
      // A network file system may report a full disk only now; the bytes were given away with each write.
    }
  }
  return {
    append: async (key, sequence, bytes) => {
      const path = pathOf(key)
      const before = written.get(path)
      if (before !== undefined && sequence < before.next) return
      const fresh = before === undefined ? createNew(path) : undefined
      const { end, mark, torn = 0 } = before ?? (fresh === undefined ? await writtenBefore(path) : nothing)
      const file = files.get(path) ?? fresh ?? openLogToAppend(path)
      files.set(path, file)
      const done = await appendBytes(file, bytes.subarray(torn))
      if (done.error !== undefined) {
        close(path)
        remember(path, { ...before, next: sequence, end, mark, torn: torn + done.count })
        throw done.error
      }
      const piece = { start: end.bytes, feeds: end.lines, at: Date.now() }
      const times = noteTime(path, piece, before?.times)
      const now = { next: sequence + 1, end: after(end, bytes), mark, times }
      remember(path, now)
      const start = lineStart(end, bytes)
      if (start === undefined || start.bytes - mark < markEveryBytes) return
      appendMark(path, start)
      remember(path, { ...now, mark: start.bytes })
    },
    locate: (key, window, bytesMax) => locate(pathOf(key), window, bytesMax),
    read: (key, byteOffset) => readFrom(pathOf(key), byteOffset),
    end: async (key) => {
      const bytes = await sizeOf(pathOf(key))
      return { sequence: written.get(pathOf(key))?.next ?? 0, bytes }
    },
    pieces: async (keys) => {
      const all: (readonly LogPiece[])[] = []
      for (const key of keys) all.push(await piecesOf(pathOf(key)))
      return all
    },
    settle: async (key) => close(pathOf(key)),
    localPath: pathOf,
    describe: pathOf,
    removeRuns: async (runKeys) => {
      const byFolder = Map.groupBy(runKeys, (key) => `${top}${folderOf(key)}`)
      for (const [path, keys] of byFolder) await removeFiles(path, new Set(keys))
    },
  }
}

/** What this process knows about a stream that it wrote; counted from the file at its first append. */
interface Written {
  /** The next expected sequence; an earlier one is not written again. */
  readonly next: number
  /** Number of bytes, and of complete lines. */
  readonly end: LineMark
  /** Offset of the last mark of the line index. */
  readonly mark: number
  /** Bytes of the next chunk that are in the file already, because the disk became full in the middle of it. */
  readonly torn?: number
  readonly times?: NotedTimes
}

const markEveryBytes = 1_048_576
/** Number of streams that are remembered; a forgotten one is counted again. */
const streamsMax = 10_000

/** Synchronous writes up to this size are faster than a request to the thread pool. Most streams are no longer. */
const shortBytes = 65_536

/**
 * Creates the file; undefined when it exists. Tried first, because most streams are new, and reading an existing file
 * takes longest.
 */
function createNew(path: string): number | undefined {
  try {
    return openSync(path, 'ax', 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    // Steps know the folder too, and other runs share it.
    if (codeOf(error) === 'ENOTDIR') renameSync(dirname(path), `${dirname(path)}.replaced-${Date.now()}`)
    else if (codeOf(error) !== 'ENOENT') throw error
    makeFolder(dirname(path), 0o700)
    return createNew(path)
  }
}

const writeLater = promisify(write)

/** @returns how many bytes were written and, if not all, why */
async function appendBytes(
  file: number,
  bytes: Uint8Array,
): Promise<{ readonly count: number; readonly error?: unknown }> {
  const isShort = bytes.length <= shortBytes
  let count = 0
  try {
    while (count < bytes.length) {
      count += isShort ? writeSync(file, bytes, count) : (await writeLater(file, bytes, count)).bytesWritten
    }
    return { count }
  } catch (error) {
    return { count, error }
  }
}

const nothing: Omit<Written, 'next'> = { end: { bytes: 0, lines: 0 }, mark: 0 }

async function writtenBefore(path: string): Promise<Omit<Written, 'next'>> {
  const last = readMarks(path).at(-1) ?? { bytes: 0, lines: 0 }
  let end = last
  for await (const chunk of readFrom(path, last.bytes)) end = after(end, chunk)
  return { end, mark: last.bytes }
}

function after(end: LineMark, bytes: Uint8Array): LineMark {
  return { bytes: end.bytes + bytes.length, lines: end.lines + countFeeds(bytes) }
}

/** The start of the last line that begins within these bytes. */
function lineStart(end: LineMark, bytes: Uint8Array): LineMark | undefined {
  const at = bytes.lastIndexOf(lineFeed)
  return at < 0 ? undefined : { bytes: end.bytes + at + 1, lines: end.lines + countFeeds(bytes) }
}

/**
 * Run keys are numbers. A hundred runs share a folder: making one for each run takes as long as making a file, and
 * folders with millions of entries are slow.
 */
function folderOf(runKey: string): string {
  return runKey.slice(0, -2) || '0'
}

/** Removes the files of runs from a folder, and the folder itself when it is empty then. */
async function removeFiles(folder: string, runKeys: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  const gone = names.filter((name) => runKeys.has(name.slice(0, name.indexOf('-'))))
  for (const name of gone) await rm(join(folder, name), { recursive: true, force: true })
  if (gone.length === names.length) await rmdir(folder).catch(() => undefined)
}

function fileOf({ step, stream }: LogKey): string {
  if (stream === 'run') return 'run.log'
  const safe = Buffer.from(step, 'utf8').toString('base64url')
  return `${safe}.${stream === 'stdout' ? 'out' : 'err'}`
}

async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() === true ? found.size : 0
}

/** The beginning of a file is not noted before its second piece is. */
async function piecesOf(path: string): Promise<LogPiece[]> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() !== true || found.size === 0) return []
  const noted = readTimes(path)
  if (noted[0]?.start === 0) return noted
  const at = Math.floor(found.birthtimeMs || found.mtimeMs)
  return [{ start: 0, feeds: 0, at: noted[0] === undefined ? at : Math.min(at, noted[0].at ?? at) }, ...noted]
}

/** A step may make its file larger than a log can be, at no cost; the rest of it is not read. */
const readBytesMax = limits.logBytesMax + 1_048_576

async function* readFrom(path: string, start: number): AsyncIterable<Uint8Array> {
  const file = openLogToRead(path)
  if (file === undefined) return
  const hasMore = fstatSync(file).size > start && start < readBytesMax
  if (hasMore)
    yield* createReadStream('', { fd: file, start, end: readBytesMax }) as AsyncIterable<Uint8Array>
  else closeSync(file)
}

async function locate(path: string, window: LogWindow, bytesMax: number): Promise<LogSpan> {
  const marks = readMarks(path)
  const counted = marks.at(-1) ?? { bytes: 0, lines: 0 }
  const totalLines = counted.lines + (await countLines(readFrom(path, counted.bytes)))
  const lines = linesOf(window, totalLines)
  if (lines === undefined) return noLines(totalLines)
  const mark = markBefore(marks, lines.first)
  const found = await scanLines(readFrom(path, mark.bytes), lines.first - mark.lines, lines.last - mark.lines)
  const span = fitLines(found, { ...lines, totalLines }, { from: window.from, bytesMax })
  return { ...span, start: mark.bytes + span.start, end: mark.bytes + span.end }
}
