import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { LogKey, LogLines, LogStore, LogWindow } from './log-store.ts'
import { countFeeds, cutLines, lineFeed, scanWindow } from './scan-lines.ts'

export interface Chunk {
  readonly sequence: number
  readonly first_line: string
  readonly line_count: number
  readonly byte_offset: string
  readonly byte_count: number
  readonly body: Uint8Array
  /** Name of the object that holds the bytes; `body` then has only the last of them. */
  readonly object: string | null
}

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
    window: (key, window) => readWindow(db, readObject, key, window),
    read: (key, byteOffset) => readFrom(db, readObject, key, byteOffset),
    end: async (key) => {
      const last = await lastChunk(db, key)
      if (last === undefined) return { sequence: 0, bytes: 0 }
      return { sequence: last.sequence + 1, bytes: Number(last.byte_offset) + last.byte_count }
    },
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
    select * from millrace.log_chunk where ${ofKey(db, key)} order by sequence desc limit 1
  `
  return rows[0]
}

async function readWindow(
  db: Database,
  readObject: ReadObject,
  key: LogKey,
  window: LogWindow,
): Promise<LogLines> {
  const tail = await lastChunk(db, key)
  if (tail === undefined) return { bytes: new Uint8Array(), lineCount: 0, totalLines: 0, firstLine: 0 }
  const isOpen = tail.body.at(-1) !== lineFeed
  const totalLines = Number(tail.first_line) + tail.line_count - (isOpen ? 0 : 1)
  const first = window.from === 'end' ? Math.max(1, totalLines - window.limit + 1) : window.offset
  const last = Math.min(totalLines, first + window.limit - 1)
  if (first > totalLines) return { bytes: new Uint8Array(), lineCount: 0, totalLines, firstLine: 0 }
  const ofWindow = db.sql`
    ${ofKey(db, key)} and first_line <= ${last}::bigint and first_line + line_count >= ${first}::bigint`
  const chunks = await db.sql<Chunk[]>`
    select * from millrace.log_chunk
    where ${ofWindow} and byte_offset < ${limits.logWindowBytesMax}::bigint
      + (select min(byte_offset) from millrace.log_chunk where ${ofWindow})
    order by sequence
  `
  const bodies: Uint8Array[] = []
  for (const chunk of chunks) bodies.push(await bodyOf(db, readObject, key, chunk))
  const bytes = Buffer.concat(bodies)
  const before = Number(chunks[0]?.first_line ?? 1) - 1
  const span = await scanWindow(only(bytes), first - before, last - before)
  const cut = cutLines(bytes.subarray(span.start, span.end))
  return { bytes: cut, lineCount: last - first + 1, totalLines, firstLine: first }
}

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

async function* readFrom(
  db: Database,
  readObject: ReadObject,
  key: LogKey,
  byteOffset: number,
): AsyncIterable<Uint8Array> {
  for (let from = byteOffset; ;) {
    const [chunk] = await db.sql<Chunk[]>`
      select * from millrace.log_chunk
      where ${ofKey(db, key)} and byte_offset + byte_count > ${from}::bigint order by sequence limit 1
    `
    if (chunk === undefined) return
    const body = await bodyOf(db, readObject, key, chunk)
    yield body.subarray(from - Number(chunk.byte_offset))
    from = Number(chunk.byte_offset) + chunk.byte_count
  }
}

/** A missing object was moved back to Postgres since the chunk was read, or its run was removed. */
async function bodyOf(db: Database, readObject: ReadObject, key: LogKey, chunk: Chunk): Promise<Uint8Array> {
  if (chunk.object === null) return chunk.body
  const body = await readObject(chunk.object)
  if (body !== undefined) return body
  const [now] = await db.sql<Chunk[]>`
    select * from millrace.log_chunk where ${ofKey(db, key)} and sequence = ${chunk.sequence}::int`
  if (now?.object === null) return now.body
  throw new ServiceError(
    'service_unavailable',
    `a part of this log is missing in its bucket: ${chunk.object}`,
  )
}
