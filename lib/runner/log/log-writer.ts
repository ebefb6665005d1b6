import { GrowingBytes } from '#lib/core/growing-bytes.ts'
import { failpoint } from '#lib/core/failpoint.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { cutStream } from './cut-stream.ts'
import { maskBytes } from './mask-bytes.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'

/** Writes the bytes of one stream to the store, in order. */
export interface LogWriter {
  /** A returned promise means back-pressure: wait for it before the next write. Never throws or rejects. */
  readonly write: (bytes: Uint8Array) => Promise<void> | undefined
  /** Stores the buffered bytes. Never rejects. */
  readonly flush: () => Promise<void>
  /** Settles when everything written is durable. */
  readonly close: () => Promise<void>
}

export interface LogWriterOptions {
  /** Secrets that are replaced by `*******`, even when they are split over several writes. */
  readonly maskedValues: readonly string[]
  /** Maximum size of the stream; see {@link cutStream}. */
  readonly bytesMax: number
  /** Stores the first output at once: most programs print once and exit, so the append overlaps with the exit. */
  readonly isPrompt?: boolean
  /** Where the stream continues; see {@link LogStore.end}. */
  readonly start: { readonly sequence: number; readonly bytes: number }
}

const chunkBytes = 262_144
/** Maximum time for which output is buffered, milliseconds. */
const bufferMs = 200
const retryMs = { first: 50, max: 2_000 }

/**
 * Buffers bytes into chunks. One append is in flight at a time; when another chunk is full meanwhile, the caller must
 * wait, so memory stays bounded. A failed append is retried until it succeeds.
 */
export function openLogWriter(store: LogStore, key: LogKey, options: LogWriterOptions): LogWriter {
  const mask = maskBytes(options.maskedValues)
  let sequence = options.start.sequence
  const cut = cutStream(options)
  const waiting = new GrowingBytes()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined

  const flushAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      await appendWithRetries(store, key, sequence, waiting.take())
      sequence++
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    flushing ??= flushAll().finally(() => {
      flushing = undefined
    })
    return flushing
  }
  return {
    write: (bytes) => {
      for (const kept of cut.push(mask.push(bytes))) waiting.add(kept)
      if (waiting.size >= chunkBytes) return flush()
      if (waiting.size === 0 || flushing !== undefined) return undefined
      if (options.isPrompt === true && sequence === options.start.sequence) setImmediate(() => void flush())
      else timer ??= setTimeout(() => void flush(), bufferMs)
      return undefined
    },
    flush,
    close: async () => {
      for (const kept of [...cut.push(mask.end()), ...cut.end()]) waiting.add(kept)
      while (waiting.size > 0 || flushing !== undefined) await flush()
      clearTimeout(timer)
      if (sequence > options.start.sequence) await store.settle(key)
    },
  }
}

async function appendWithRetries(
  store: LogStore,
  key: LogKey,
  sequence: number,
  chunk: Uint8Array,
): Promise<void> {
  for (let wait = retryMs.first; ; wait = Math.min(wait * 2, retryMs.max)) {
    try {
      failpoint('log.appending')
      await store.append(key, sequence, chunk)
      failpoint('log.appended')
      return
    } catch {
      await pause(wait)
    }
  }
}
