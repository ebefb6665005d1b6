import { createReadStream } from 'node:fs'
import { appendFile, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LogKey, LogLines, LogStore, LogWindow } from './log-store.ts'
import { countLines, cutLines, scanWindow } from './scan-lines.ts'

/**
 * Keeps each stream as a plain file below `folder`, so that steps can read it as `${id.stdout}`. One writer per stream.
 * No part of a path is taken from input as it is: step names are encoded.
 */
export function createFileLogStore(folder: string): LogStore {
  const pathOf = (key: LogKey): string =>
    join(folder, runFolder(key.runKey), String(key.attempt), fileOf(key))
  /** The next sequence of each stream that this process writes: what came before is not written again. */
  const next = new Map<string, number>()
  return {
    append: async (key, sequence, bytes) => {
      const path = pathOf(key)
      const wanted = next.get(path)
      if (wanted !== undefined && sequence < wanted) return
      if (wanted === undefined) await mkdir(dirname(path), { recursive: true })
      await appendFile(path, bytes)
      next.set(path, sequence + 1)
    },
    window: (key, window) => readWindow(pathOf(key), window),
    read: (key, byteOffset) => readFrom(pathOf(key), byteOffset),
    end: async (key) => {
      const bytes = await sizeOf(pathOf(key))
      return { sequence: next.get(pathOf(key)) ?? 0, bytes }
    },
    localPath: pathOf,
    describe: pathOf,
    removeRuns: async (runKeys) => {
      for (const key of runKeys) await rm(join(folder, runFolder(key)), { recursive: true, force: true })
    },
  }
}

/** Keys are numbers; a thousand runs share a folder, because folders with millions of entries are slow. */
function runFolder(runKey: string): string {
  const number = BigInt(runKey)
  return join(String(number / 1000n), String(number))
}

function fileOf({ step, stream }: LogKey): string {
  if (stream === 'run') return 'run.log'
  const safe = Buffer.from(step, 'utf8').toString('base64url')
  return `${safe}.${stream === 'stdout' ? 'out' : 'err'}`
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}

async function* readFrom(path: string, start: number): AsyncIterable<Uint8Array> {
  if ((await sizeOf(path)) <= start) return
  yield* createReadStream(path, { start }) as AsyncIterable<Uint8Array>
}

async function readWindow(path: string, window: LogWindow): Promise<LogLines> {
  const totalLines = await countLines(readFrom(path, 0))
  const first = window.from === 'end' ? Math.max(1, totalLines - window.limit + 1) : window.offset
  const last = Math.min(totalLines, first + window.limit - 1)
  if (totalLines === 0 || first > totalLines || last < first) {
    return { bytes: new Uint8Array(), lineCount: 0, totalLines, firstLine: 0 }
  }
  const span = await scanWindow(readFrom(path, 0), first, last)
  const file = await open(path)
  try {
    const bytes = new Uint8Array(span.end - span.start)
    await file.read(bytes, 0, bytes.length, span.start)
    return { bytes: cutLines(bytes), lineCount: last - first + 1, totalLines, firstLine: first }
  } finally {
    await file.close()
  }
}
