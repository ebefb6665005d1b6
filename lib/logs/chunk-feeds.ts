import { invariant } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import type { LogSpan, LogWindow } from './log-store.ts'
import { chunkColumns, type Chunk } from './chunk.ts'
import { countFeeds, lineFeed } from './scan-lines.ts'

/** A line feed: the number of the line that it ends, and its byte offset. */
interface Feed {
  readonly line: number
  readonly offset: number
}

/** Finds line feeds of one stream in its chunks. At most two chunks are in memory at a time. */
export interface Feeds {
  /** The offset of the feed that ends a line. It must exist. */
  readonly ofLine: (line: number) => Promise<number>
  /** The last feed at or before an offset. */
  readonly lastUpTo: (offset: number) => Promise<Feed | undefined>
  /** The first feed at or after an offset. */
  readonly firstFrom: (offset: number) => Promise<Feed | undefined>
}

/** @param ofKey the condition that selects the chunks of the stream */
export function chunkFeeds(
  db: Database,
  ofKey: ReturnType<Database['sql']>,
  bodyOf: (chunk: Chunk) => Promise<Uint8Array>,
): Feeds {
  const feedAt = (chunk: Chunk, body: Uint8Array, index: number): Feed => ({
    line: chunk.firstLine + countFeeds(body.subarray(0, index)),
    offset: chunk.byteOffset + index,
  })
  return {
    ofLine: async (line) => {
      const [chunk] = await db.sql<Chunk[]>`
        select ${chunkColumns(db)} from millrace.log_chunk
        where ${ofKey} and first_line <= ${line}::bigint and first_line + line_count > ${line}::bigint
        order by sequence limit 1`
      invariant(chunk !== undefined, `line ${line} of a log ends in one of its chunks`)
      const body = await bodyOf(chunk)
      let index = body.indexOf(lineFeed)
      for (let left = line - chunk.firstLine; left > 0; left--) index = body.indexOf(lineFeed, index + 1)
      return chunk.byteOffset + index
    },
    lastUpTo: async (offset) => {
      const chunks = await db.sql<Chunk[]>`
        select ${chunkColumns(db)} from millrace.log_chunk
        where ${ofKey} and line_count > 0 and byte_offset <= ${offset}::bigint
        order by sequence desc limit 2`
      for (const chunk of chunks) {
        const body = await bodyOf(chunk)
        const index = body.lastIndexOf(lineFeed, offset - chunk.byteOffset)
        if (index >= 0) return feedAt(chunk, body, index)
      }
      return undefined
    },
    firstFrom: async (offset) => {
      const chunks = await db.sql<Chunk[]>`
        select ${chunkColumns(db)} from millrace.log_chunk
        where ${ofKey} and line_count > 0 and byte_offset + byte_count > ${offset}::bigint
        order by sequence limit 2`
      for (const chunk of chunks) {
        const body = await bodyOf(chunk)
        const index = body.indexOf(lineFeed, Math.max(0, offset - chunk.byteOffset))
        if (index >= 0) return feedAt(chunk, body, index)
      }
      return undefined
    },
  }
}

/** Reduces a span that is larger than `bytesMax` to whole lines; see `LogStore.locate`. */
export async function reduceSpan(
  feeds: Feeds,
  span: LogSpan,
  { from, bytesMax }: { readonly from: LogWindow['from']; readonly bytesMax: number },
): Promise<LogSpan> {
  const { start, end, firstLine, lineCount } = span
  const lastLine = firstLine + lineCount - 1
  if (from === 'end') {
    const feed = await feeds.firstFrom(end - bytesMax - 1)
    if (feed !== undefined && feed.line < lastLine) {
      return { ...span, start: feed.offset + 1, firstLine: feed.line + 1, lineCount: lastLine - feed.line }
    }
    const begin = lineCount === 1 ? start : (await feeds.ofLine(lastLine - 1)) + 1
    return cutLine({ ...span, start: begin, firstLine: lastLine }, end, bytesMax)
  }
  const feed = await feeds.lastUpTo(start + bytesMax)
  if (feed !== undefined && feed.line >= firstLine) {
    return { ...span, end: feed.offset, lineCount: feed.line - firstLine + 1 }
  }
  return cutLine(span, lineCount === 1 ? end : await feeds.ofLine(firstLine), bytesMax)
}

function cutLine(span: LogSpan, end: number, bytesMax: number): LogSpan {
  return { ...span, end: span.start + bytesMax, lineCount: 1, cutBytes: end - span.start - bytesMax }
}
