import { readSpan } from '#lib/logs/fit-lines.ts'
import type { LogKey, LogSpan, LogStore, LogWindow } from '#lib/logs/log-store.ts'

/** The lines of a window, with their bytes. */
export async function readWindow(
  store: LogStore,
  key: LogKey,
  window: LogWindow,
  bytesMax = 1_000_000_000,
): Promise<LogSpan & { readonly bytes: Buffer }> {
  const span = await store.locate(key, window, bytesMax)
  const pieces = await Array.fromAsync(readSpan(store.read(key, span.start), span))
  return { ...span, bytes: Buffer.concat(pieces) }
}
