import { limits } from '#lib/core/limits.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'
import { openLogWriter } from './log-writer.ts'
import { masked } from './mask.ts'

/** The log of the run itself: one line per event, for people. */
export interface RunLog {
  readonly line: (atMs: number, text: string) => void
  /** Stores the buffered lines. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens the log of a run; it continues after the lines of previous owners. A line that cannot be written never disturbs
 * the run.
 */
export async function openRunLog(
  store: LogStore,
  key: LogKey,
  given: { readonly isFirst: boolean; readonly secrets: () => readonly string[] },
): Promise<RunLog> {
  const start = given.isFirst ? { sequence: 0, bytes: 0 } : await store.end(key)
  const writer = openLogWriter(store, key, { maskedValues: [], bytesMax: limits.runLogBytesMax, start })
  return {
    line: (atMs, text) => {
      const oneLine = masked(text, given.secrets()).replaceAll(/[\r\n]+/g, ' | ')
      void writer.write(Buffer.from(`${new Date(atMs).toISOString()} ${oneLine}\n`))?.catch(() => undefined)
    },
    flush: () => writer.flush(),
    close: () => writer.close(),
  }
}
