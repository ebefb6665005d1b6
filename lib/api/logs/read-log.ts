import type { InferOutput } from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { readSpan } from '#lib/logs/fit-lines.ts'
import type { LogKey, LogSpan, LogStore } from '#lib/logs/log-store.ts'
import { lineFeed } from '#lib/logs/scan-lines.ts'
import { selectWindow } from '#lib/logs/select-window.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'
import { cutLines, type CutLine } from './cut-lines.ts'
import type { LogState } from './log-state.ts'
import { ndjson } from '#lib/api/answers/rows.ts'
import { searchLog } from './search-log.ts'
import type { TakeSlot } from '#lib/api/requests/share-slots.ts'
import { Streamed } from '#lib/api/answers/streamed.ts'
import { LogText } from './log-text.ts'
import type { LogChunk, LogQuery, SearchRunLogQuery } from '#lib/api/schemas/log.ts'

type Chunk = InferOutput<typeof LogChunk>

/** Texts up to this size are answered at once; longer ones piece by piece. */
const shortBytes = 65_536

/** The whole log as a file. */
export function downloadLog(
  logs: LogStore,
  { dagName, runId }: Pick<RunRecord, 'dagName' | 'runId'>,
  { key }: LogState,
): Streamed {
  const name = [dagName, runId, key.step, key.stream].filter((part) => part !== '').join('-')
  return new Streamed(logs.read(key, 0), {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.log"`,
  })
}

/**
 * The lines of a log that match, as JSON lines. Few searches run at the same time.
 * @throws ServiceError `bad_request`, `service_unavailable`
 */
export function findInLog(
  logs: LogStore,
  { key }: LogState,
  query: InferOutput<typeof SearchRunLogQuery>,
  take: TakeSlot,
): Streamed {
  const { q: text, regex, case: hasCase, from = 1, limit } = query
  const search = { text, isPattern: regex === 'true', isCaseSensitive: hasCase === 'true', from, limit }
  return new Streamed(searchLog(logs, key, search), { 'content-type': ndjson }, take)
}

/** Lines of a log. */
export async function readLog(
  logs: LogStore,
  { key, isOver }: LogState,
  query: InferOutput<typeof LogQuery>,
): Promise<Chunk | LogText<Chunk>> {
  const window = selectWindow(query)
  const span = await logs.locate(key, window, limits.logWindowBytesMax)
  const { lineCount, totalLines, firstLine, cutBytes } = span
  const seen = window.from === 'end' ? lineCount : firstLine + lineCount - 1
  const hasMore = lineCount > 0 && seen < totalLines
  const { bytes: totalBytes } = await logs.end(key)
  const offset = lineCount === 0 ? totalBytes : await nextOffset(logs, key, span)
  const facts = { firstLine, totalBytes, position: `${key.attempt}-${offset}`, isOver }
  const cut: CutLine[] = []
  const around = (content: string): Chunk => ({
    content,
    lineCount,
    totalLines,
    hasMore,
    isEstimate: false,
    ...facts,
    // A line that the window itself cuts is its only one.
    ...(cut.length > 0 && { cut: cut.map(({ line, bytes }) => ({ line, bytes: bytes + cutBytes })) }),
  })
  const whole = readSpan(logs.read(key, span.start), span)
  const pieces =
    query.lineBytes === undefined
      ? whole
      : cutLines(whole, { first: firstLine, bytesMax: query.lineBytes }, cut)
  if (span.end - span.start > shortBytes) {
    return new LogText(pieces, query.lineBytes === undefined ? endingOf(cutBytes) : '', around)
  }
  return around(Buffer.concat(await Array.fromAsync(pieces)).toString('utf8'))
}

/** Behind the line feed of the last line, if that has one already. */
async function nextOffset(logs: LogStore, key: LogKey, { end }: LogSpan): Promise<number> {
  for await (const [next] of logs.read(key, end)) return next === lineFeed ? end + 1 : end
  return end
}

function endingOf(cutBytes: number): string {
  return cutBytes === 0
    ? ''
    : ` [the line is cut here: ${cutBytes} bytes follow, which its stream has (/log/stream)]`
}
