import { randomBytes } from 'node:crypto'
import type { Database } from '#lib/db/client.ts'
import type { LogKey, LogStore } from './log-store.ts'
import { chunkColumns, type Chunk } from './chunk.ts'
import { createPostgresLogStore, ofKey } from './postgres-log-store.ts'
import type { S3Bucket } from './s3-bucket.ts'

/** Size of an object. The last object of a stream may be smaller, and any may be larger by one chunk. */
const partBytes = 1_048_576
/** This many chunks become an object even if they are small. */
const partChunks = 10_000
/** How long a failing bucket is left alone, milliseconds. */
const pauseMs = 30_000
const removalsMax = 8

/**
 * Stores the newest chunks in Postgres and older ones as objects of about a megabyte, whose index stays in Postgres. So
 * an append costs what it costs in Postgres, and is fenced as there; an object is written once and never changed; and
 * any window is an index look-up and a few objects. When the bucket is away, nothing is lost and nothing stops: the
 * chunks stay in Postgres and become part of a later object. Objects that could not be removed stay behind; give the
 * bucket a lifecycle rule for them.
 * @param onFailure called when the bucket did not take an object, or did not remove one
 */
export function createS3LogStore(
  db: Database,
  bucket: S3Bucket,
  onFailure: (error: unknown) => void = () => undefined,
): LogStore {
  const chunks = createPostgresLogStore(db, bucket.get)
  const waiting = new Map<string, number>()
  let pausedUntil = -Infinity

  const seal = async (key: LogKey, least: number): Promise<void> => {
    if (performance.now() < pausedUntil) return
    try {
      while (await sealPart(db, bucket, key, least));
    } catch (error) {
      pausedUntil = performance.now() + pauseMs
      onFailure(error)
    }
  }
  return {
    ...chunks,
    append: async (key, sequence, bytes, claim) => {
      await chunks.append(key, sequence, bytes, claim)
      const name = nameOf(key)
      const size = (waiting.get(name) ?? 0) + bytes.length
      waiting.set(name, size >= partBytes ? 0 : size)
      if (size >= partBytes) await seal(key, partBytes)
    },
    settle: async (key) => {
      waiting.delete(nameOf(key))
      await seal(key, 1)
    },
    describe: (key) => bucket.url + nameOf(key),
    removeRuns: async (runKeys) => {
      await chunks.removeRuns(runKeys)
      try {
        for (const runKey of runKeys) await removeAll(bucket, `${BigInt(runKey)}/`)
      } catch (error) {
        onFailure(error)
      }
    },
  }
}

/** Moves the objects of a stream back into Postgres, for a store that does not know the bucket. */
export async function unseal(db: Database, bucket: S3Bucket, key: LogKey): Promise<void> {
  for (;;) {
    const [chunk] = await db.sql<Chunk[]>`
      select ${chunkColumns(db)} from millrace.log_chunk
      where ${ofKey(db, key)} and object is not null order by sequence limit 1`
    if (chunk?.object == null) return
    const body = await bucket.get(chunk.object)
    if (body === undefined) throw new Error(`${bucket.url}${chunk.object} is missing`)
    await db.sql`
      update millrace.log_chunk set body = ${Buffer.from(body)}::bytea, object = null
      where ${ofKey(db, key)} and sequence = ${chunk.sequence}::int and object = ${chunk.object}`
    await bucket.remove(chunk.object)
  }
}

/** Object names contain nothing that needs escaping, since step names are encoded. */
function nameOf({ runKey, attempt, step, stream }: LogKey): string {
  return [BigInt(runKey), attempt, Buffer.from(`.${step}`, 'utf8').toString('base64url'), stream].join('/')
}

/**
 * Makes one object and one index entry of the oldest chunks. When two processes do so at once, both write an object,
 * and one of them counts.
 * @returns whether there may be more to do
 */
async function sealPart(db: Database, bucket: S3Bucket, key: LogKey, least: number): Promise<boolean> {
  const chunks = await db.sql<Pick<Chunk, 'sequence' | 'body'>[]>`
    select sequence, body from (
      select sequence, body, sum(byte_count) over (order by sequence) - byte_count as before
      from millrace.log_chunk where ${ofKey(db, key)} and object is null order by sequence limit ${partChunks}::int
    ) as oldest
    where before < ${partBytes}::int order by sequence`
  const [first, last] = [chunks[0], chunks.at(-1)]
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.body))
  if (first === undefined || last === undefined || (bytes.length < least && chunks.length < partChunks))
    return false
  const object = `${nameOf(key)}/${last.sequence}-${randomBytes(6).toString('hex')}`
  await bucket.put(object, bytes)
  const [row] = await db.sql<{ counts: boolean }[]>`
    select millrace.seal_log(${key.runKey}::bigint, ${key.attempt}::int, ${key.step}, ${key.stream},
      ${first.sequence}::int, ${last.sequence}::int, ${bytes.length}::bigint, ${object}) as counts`
  if (row?.counts !== true) await bucket.remove(object)
  return row?.counts === true
}

async function removeAll(bucket: S3Bucket, beginning: string): Promise<void> {
  for (let names = await bucket.list(beginning); names.length > 0; names = await bucket.list(beginning)) {
    while (names.length > 0) await Promise.all(names.splice(0, removalsMax).map(bucket.remove))
  }
}
