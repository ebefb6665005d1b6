import { ServiceError } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'
import { chunkColumns, type Chunk } from './chunk.ts'
import { chunkFeeds, reduceSpan } from './chunk-feeds.ts'
import { linesOf, noLines } from './fit-lines.ts'
import type { LogKey, LogPiece, LogSpan, LogStore, LogWindow } from './log-store.ts'
import { countFeeds, lineFeed } from './scan-lines.ts'

/** Reads an object from another store; undefined when it does not exist. */
type ReadObject = (object: string) => Promise<Uint8Array | undefined>

const unknownObject: ReadObject = () => {
  const why =
    'a part of this log lies in a bucket that MILLRACE_LOG_STORE does not name; see millrace move-logs'
  throw new ServiceError('service_unavailable', why)
}

/**
 * Stores each stream as chunks in Postgres, for instances that share nothing else. Each chunk knows its first line (the
 * one on which its first byte is), and `line_count` counts its line feeds, so any window is an index look-up.
 */
export function createPostgresLogStore(db: Database, readObject = unknownObject): LogStore {
  return {
    append: (key, sequence, bytes, claim) => append(db, key, sequence, bytes, claim ?? null),
    locate: (key, window, bytesMax) => locate(db, readObject, key, window, bytesMax),
    read: (key, byteOffset) => readFrom(db, readObject, key, byteOffset),
    end: async (key) => {
      const last = await lastChunk(db, key)
      if (last === undefined) return { sequence: 0, bytes: 0 }
      return { sequence: last.sequence + 1, bytes: last.byteOffset + last.byteCount }
    },
    pieces: (keys) => piecesOf(db, keys),
    settle: () => Promise.resolve(),
    localPath: () => undefined,
    describe: (key) =>
      `postgres:${[key.runKey, key.attempt, encodeURIComponent(key.step), key.stream].join('/')}`,
    removeRuns: async (runKeys) => {
      await db.sql`
        delete from millrace.log_chunk
        where run_key = any (string_to_array(${runKeys.join(',')}, ',')::bigint[])`
    },
  }
}

export const ofKey = (db: Database, key: LogKey) => db.sql`
  run_key = ${key.runKey}::bigint and attempt = ${key.attempt}::int and step = ${key.step} and stream = ${key.stream}
`

/**
 * The lock on the run delays a take-over until the chunk is stored, or shows that a take-over has happened. A chunk
 * before the last stored sequence is stored already, by itself or in a merged chunk.
 */
async function append(
  db: Database,
  key: LogKey,
  sequence: number,
  bytes: Uint8Array,
  claim: string | null,
): Promise<void> {
  await db.sql`
    insert into millrace.log_chunk (
      run_key, attempt, step, stream, sequence, first_line, line_count, byte_offset, byte_count, body
    )
    select ${key.runKey}::bigint, ${key.attempt}::int, ${key.step}, ${key.stream}, ${sequence}::int,
      coalesce(before.first_line + before.line_count, 1), ${countFeeds(bytes)}::int,
      coalesce(before.byte_offset + before.byte_count, 0), ${bytes.length}::int, ${Buffer.from(bytes)}::bytea
    from (
      select from millrace.dag_run
      where run_key = ${key.runKey}::bigint and (${claim}::bigint is null or claim_token = ${claim}::bigint)
      for share
    ) as owned
    left join lateral (
      select first_line, line_count, byte_offset, byte_count from millrace.log_chunk
      where ${ofKey(db, key)} and sequence < ${sequence}::int order by sequence desc limit 1
    ) as before on true
    where not exists (select from millrace.log_chunk where ${ofKey(db, key)} and sequence > ${sequence}::int)
    on conflict do nothing
  `
}

async function lastChunk(db: Database, key: LogKey): Promise<Chunk | undefined> {
  const rows = await db.sql<Chunk[]>`
    select ${chunkColumns(db)} from millrace.log_chunk where ${ofKey(db, key)} order by sequence desc limit 1
  `
  return rows[0]
}

async function locate(
  db: Database,
  readObject: ReadObject,
  key: LogKey,
  window: LogWindow,
  bytesMax: number,
): Promise<LogSpan> {
  const tail = await lastChunk(db, key)
  if (tail === undefined) return noLines(0)
  const isOpen = tail.body.at(-1) !== lineFeed
  const totalLines = tail.firstLine + tail.lineCount - (isOpen ? 0 : 1)
  const lines = linesOf(window, totalLines)
  if (lines === undefined) return noLines(totalLines)
  const { first, last } = lines
  const feeds = chunkFeeds(db, ofKey(db, key), (chunk) => bodyOf(db, readObject, key, chunk))
  const size = tail.byteOffset + tail.byteCount
  const start = first === 1 ? 0 : (await feeds.ofLine(first - 1)) + 1
  const end = last === totalLines ? size - (isOpen ? 0 : 1) : await feeds.ofLine(last)
  const span = { start, end, lineCount: last - first + 1, totalLines, firstLine: first, cutBytes: 0 }
  return end - start <= bytesMax ? span : await reduceSpan(feeds, span, { from: window.from, bytesMax })
}

/** One row a second of each log. An object of another store keeps the times of what it was made of. */
async function piecesOf(db: Database, keys: readonly LogKey[]): Promise<LogPiece[][]> {
  const [first] = keys
  if (first === undefined) return []
  const rows = await db.sql<(Omit<LogKey, 'runKey'> & { pieces: [number, number, number | null][] })[]>`
    select distinct on (attempt, step, stream, object, date_trunc('second', at))
      attempt, step, stream, coalesce(pieces, jsonb_build_array(
        jsonb_build_array(byte_offset, first_line - 1, floor(date_part('epoch', at) * 1000))
      )) as pieces
    from millrace.log_chunk
    where run_key = ${first.runKey}::bigint
    order by attempt, step, stream, object, date_trunc('second', at), sequence`
  const byLog = Map.groupBy(rows, logOf)
  return keys.map((key) =>
    (byLog.get(logOf(key)) ?? [])
      .flatMap(({ pieces }) => pieces)
      .map(([start, feeds, at]) => ({ start, feeds, at: at ?? undefined }))
      .toSorted((a, b) => a.start - b.start),
  )
}

const logOf = ({ attempt, step, stream }: Omit<LogKey, 'runKey'>): string =>
  JSON.stringify([attempt, step, stream])

/** Bytes that one statement reads, give or take a chunk. */
const readBytes = 262_144

async function* readFrom(
  db: Database,
  readObject: ReadObject,
  key: LogKey,
  byteOffset: number,
): AsyncIterable<Uint8Array> {
  let [from, sequence] = [byteOffset, 0]
  for (;;) {
    const chunks = await db.sql<Chunk[]>`
      select ${chunkColumns(db)} from millrace.log_chunk
      where ${ofKey(db, key)} and sequence >= ${sequence}::int
        and byte_offset + byte_count > ${from}::bigint and byte_offset < ${from + readBytes}::bigint
      order by sequence
    `
    if (chunks.length === 0) return
    for (const chunk of chunks) {
      const body = await bodyOf(db, readObject, key, chunk)
      yield body.subarray(from - chunk.byteOffset)
      from = chunk.byteOffset + chunk.byteCount
      sequence = chunk.sequence + 1
    }
  }
}

/** A missing object was moved back to Postgres since the chunk was read, or its run was removed. */
async function bodyOf(db: Database, readObject: ReadObject, key: LogKey, chunk: Chunk): Promise<Uint8Array> {
  if (chunk.object === null) return chunk.body
  const body = await readObject(chunk.object)
  if (body !== undefined) return body
  const [now] = await db.sql<Chunk[]>`
    select ${chunkColumns(db)} from millrace.log_chunk where ${ofKey(db, key)} and sequence = ${chunk.sequence}::int`
  if (now?.object === null) return now.body
  throw new ServiceError(
    'service_unavailable',
    `a part of this log is missing in its bucket: ${chunk.object}`,
  )
}
