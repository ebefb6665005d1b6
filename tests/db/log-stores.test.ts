import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import type { LogKey, LogStore, LogWindow } from '#lib/logs/log-store.ts'
import { openLogWriter } from '#lib/runner/log/log-writer.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { createS3LogStore } from '#lib/logs/s3-log-store.ts'
import { openBucket } from '#lib/logs/s3-bucket.ts'
import { selectWindow } from '#lib/logs/select-window.ts'
import { readWindow } from '#tests/support/read-window.ts'
import { testDatabase } from '#tests/support/database.ts'
import { keyServer } from '#tests/support/key-server.ts'
import { hasS3, s3Server } from '#tests/support/s3-server.ts'
import { until } from '#tests/support/until.ts'

const { db } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'millrace-logs-'))
afterAll(() => rmSync(folder, { recursive: true }))
await db.sql`insert into millrace.definition (hash, spec) values ('h', '')`

/** The contract of a log store, over each of them. */
const stores: [string, LogStore][] = [
  ['files', createFileLogStore(folder)],
  ['Postgres', createPostgresLogStore(db)],
]
const s3 = hasS3 ? await s3Server() : undefined
if (s3 !== undefined) stores.push(['S3', createS3LogStore(db, s3.bucket)])

let runs = 0
async function newKey(step = 'a b/../ü'): Promise<LogKey> {
  const [run] = await db.sql<{ key: string }[]>`
    insert into millrace.dag_run (run_id, dag_name, definition_hash, status, trigger_type, ready_at)
    values (${`r${++runs}`}, 'd', 'h', 'not_started', 'api', now()) returning run_key::text as key`
  return { runKey: run?.key ?? '', attempt: 1, step, stream: 'stdout' }
}

const line = (number: number): string => `${String(number).padStart(9, '0')} ${'x'.repeat(90)}\n`
const block = (first: number, count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, at) => line(first + at)).join(''))

async function readAll(store: LogStore, key: LogKey, from = 0): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of store.read(key, from)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function readLines(store: LogStore, key: LogKey, query: Parameters<typeof selectWindow>[0]) {
  const lines = await readWindow(store, key, selectWindow(query))
  return [Buffer.from(lines.bytes).toString('latin1'), lines.lineCount, lines.totalLines, lines.firstLine]
}

describe.each(stores)('logs in %s', (_name, store) => {
  test('the parts of a log have the time when they were stored', async () => {
    const [key, silent] = [await newKey(), await newKey()]
    const before = Date.now()
    await store.append(key, 0, Buffer.from('one\ntwo\nth'))
    await store.append({ ...key, stream: 'stderr' }, 0, Buffer.from('oh\n'))
    const [out, err, none] = await store.pieces([
      key,
      { ...key, stream: 'stderr' },
      { ...key, step: 'silent' },
    ])
    expect(out).toEqual([{ start: 0, feeds: 0, at: expect.any(Number) }])
    expect(err).toHaveLength(1)
    expect(none).toEqual([])
    expect(await store.pieces([silent])).toEqual([[]])
    // A file system may round its times, and the clock of the database is another one.
    expect(Math.abs((out?.[0]?.at ?? 0) - before)).toBeLessThan(10_000)
    await store.settle(key)
    expect(await store.pieces([key])).toEqual([out])
  })

  test('every window of a log can be read, whatever its bytes, settled or not', async () => {
    const key = await newKey()
    expect(await readLines(store, key, {})).toEqual(['', 0, 0, 0])
    expect(await store.end(key)).toEqual({ sequence: 0, bytes: 0 })
    await store.append(key, 0, Buffer.from('one\ntw'))
    await store.append(key, 1, Buffer.from('o\nthree\n'))
    await store.append(key, 1, Buffer.from('o\nthree\n'))
    await store.append(key, 2, Buffer.from([0x00, 0xff, 0x0a, 0x35]))
    const check = async () => {
      expect(await readLines(store, key, {})).toEqual(['one\ntwo\nthree\n\0\xff\n5', 5, 5, 1])
      expect(await readLines(store, key, { offset: 2, limit: 1 })).toEqual(['two', 1, 5, 2])
      expect(await readLines(store, key, { tail: 2 })).toEqual(['\0\xff\n5', 2, 5, 4])
      expect(await readLines(store, key, { offset: 6 })).toEqual(['', 0, 5, 0])
      expect((await readAll(store, key, 5)).toString('latin1')).toBe('wo\nthree\n\0\xff\n5')
      expect(await store.end(key)).toEqual({ sequence: 3, bytes: 18 })
    }
    await check()
    await store.settle(key)
    await check()
    await store.append(key, 1, Buffer.from('o\nthree\n'))
    await check()
    await store.append(key, 3, Buffer.from('\nsix'))
    expect(await readLines(store, key, { tail: 2 })).toEqual(['5\nsix', 2, 6, 5])
    await store.removeRuns([key.runKey])
    expect(await readLines(store, key, {})).toEqual(['', 0, 0, 0])
  })

  test('a large log can be read from any position', async () => {
    const key = await newKey('large')
    for (let sequence = 0; sequence < 24; sequence++) {
      await store.append(key, sequence, block(sequence * 2_500 + 1, 2_500))
    }
    await store.append(key, 24, Buffer.from('the end'))
    await store.settle(key)
    for (const first of [1, 10_400, 10_486, 31_000, 59_999]) {
      const found = await readWindow(store, key, { from: 'start', offset: first, limit: 2 })
      expect(found).toMatchObject({ lineCount: 2, totalLines: 60_001, firstLine: first })
      expect(`${Buffer.from(found.bytes).toString()}\n`).toBe(line(first) + line(first + 1))
    }
    const end = await readWindow(store, key, { from: 'end', limit: 2 })
    expect(Buffer.from(end.bytes).toString()).toBe(`${line(60_000)}the end`)
    expect(
      (await readAll(store, key, 3_000_011)).equals(
        Buffer.concat([block(1, 60_000), Buffer.from('the end')]).subarray(3_000_011),
      ),
    ).toBe(true)
  })

  test('a window that is too large has as many whole lines as fit, and a line that is too large is cut', async () => {
    const key = await newKey('long lines')
    const pieces = ['aa\n', 'bbb', 'bbb\n', 'c\ndd\n', 'e'.repeat(10), 'e'.repeat(10), '\n', 'ff\n', 'gg']
    for (const [sequence, piece] of pieces.entries()) await store.append(key, sequence, Buffer.from(piece))
    const read = async (window: LogWindow, bytesMax: number) => {
      const { bytes, firstLine, lineCount, cutBytes } = await readWindow(store, key, window, bytesMax)
      return [bytes.toString(), firstLine, lineCount, cutBytes]
    }
    const check = async () => {
      const all = { from: 'start', offset: 1, limit: 100 } as const
      expect(await read(all, 9)).toEqual(['aa\nbbbbbb', 1, 2, 0])
      expect(await read(all, 8)).toEqual(['aa', 1, 1, 0])
      expect(await read(all, 2)).toEqual(['aa', 1, 1, 0])
      expect(await read(all, 1)).toEqual(['a', 1, 1, 1])
      expect(await read(all, 14)).toEqual(['aa\nbbbbbb\nc\ndd', 1, 4, 0])
      expect(await read({ ...all, offset: 2, limit: 1 }, 4)).toEqual(['bbbb', 2, 1, 2])
      expect(await read({ ...all, offset: 5, limit: 2 }, 15)).toEqual(['e'.repeat(15), 5, 1, 5])
      expect(await read({ ...all, offset: 5, limit: 2 }, 20)).toEqual(['e'.repeat(20), 5, 1, 0])
      const end = { from: 'end', limit: 100 } as const
      expect(await read(end, 5)).toEqual(['ff\ngg', 6, 2, 0])
      expect(await read(end, 4)).toEqual(['gg', 7, 1, 0])
      expect(await read(end, 1)).toEqual(['g', 7, 1, 1])
      expect(await read(end, 26)).toEqual([`${'e'.repeat(20)}\nff\ngg`, 5, 3, 0])
      expect(await read(end, 25)).toEqual(['ff\ngg', 6, 2, 0])
      expect(await read({ from: 'end', limit: 1 }, 1)).toEqual(['g', 7, 1, 1])
    }
    await check()
    await store.settle(key)
    await check()
  })

  test('a writer masks and stores', async () => {
    const key = await newKey('written')
    const writer = openLogWriter(store, key, {
      maskedValues: ['secret'],
      bytesMax: 1e9,
      start: { sequence: 0, bytes: 0 },
    })
    await writer.write(Buffer.from('a sec'))
    await writer.write(Buffer.from('ret\n'))
    await writer.close()
    expect((await readAll(store, key)).toString()).toBe('a *******\n')
  })

  test('lines and offsets of a stream that is too long are those of the kept text', async () => {
    const key = await newKey('too long')
    const start = { sequence: 0, bytes: 0 }
    const writer = openLogWriter(store, key, { maskedValues: ['secret'], bytesMax: 2_000_000, start })
    const line = (number: number): string => `${String(number).padStart(6, '0')} ${'x'.repeat(92)}`
    for (let number = 0; number < 40_000; number += 100) {
      const lines = Array.from({ length: 100 }, (_, index) => `${line(number + index)}\n`)
      await writer.write(Buffer.from(lines.join('')))
    }
    await writer.write(Buffer.from('the sec'))
    await writer.write(Buffer.from('ret end\n'))
    await writer.close()
    const kept = (await readAll(store, key)).toString()
    expect(kept.length).toBeLessThanOrEqual(2_000_000)
    expect(await store.end(key)).toMatchObject({ bytes: kept.length })
    const lines = kept.trimEnd().split('\n')
    expect(lines.slice(0, 15_000)).toEqual(Array.from({ length: 15_000 }, (_, number) => line(number)))
    expect(lines.slice(-2)).toEqual([line(39_999), 'the ******* end'])
    const tail = await readWindow(store, key, { from: 'end', limit: 1_000 }, 1_000_000)
    expect(tail).toMatchObject({ totalLines: lines.length, firstLine: lines.length - 999 })
    expect(tail.bytes.toString()).toBe(lines.slice(-1_000).join('\n'))
    const middle = await readWindow(store, key, { from: 'start', offset: 15_000, limit: 4 }, 1_000_000)
    expect(middle.bytes.toString().split('\n')).toEqual([
      line(14_999),
      '[the log is too long: of the rest, only the last 124800 bytes follow when the step ends]',
      expect.stringMatching(/^\[\d+ bytes are omitted here\]$/) as string,
      expect.stringMatching(/^03\d{4} x{92}$/) as string,
    ])
  })
})

describe.each(stores.filter(([name]) => name !== 'files'))('shared logs in %s', (_name, store) => {
  test('an append with an older claim is dropped', async () => {
    const key = await newKey()
    await store.append(key, 0, Buffer.from('mine'), '0')
    await db.sql`update millrace.dag_run set claim_token = 7 where run_key = ${key.runKey}`
    await store.append(key, 1, Buffer.from('late'), '6')
    expect(await store.end(key)).toEqual({ sequence: 1, bytes: 4 })
    await store.append(key, 1, Buffer.from('.'), '7')
    expect((await readAll(store, key)).toString()).toBe('mine.')
  })
})

describe.runIf(s3 !== undefined)('parts of logs in a bucket', () => {
  const { bucket, location, start, stop } = s3 ?? ({} as NonNullable<typeof s3>)
  const rows = (key: LogKey) => db.sql<{ object: string | null; bytes: number; stored: number }[]>`
    select object, byte_count as bytes, length(body) as stored from millrace.log_chunk
    where run_key = ${key.runKey} order by sequence`

  test('Postgres keeps the index, and text that does not fill a part while it is being written', async () => {
    const store = createS3LogStore(db, bucket)
    const key = await newKey()
    for (let sequence = 0; sequence < 9; sequence++) await store.append(key, sequence, block(1, 2_500))
    const found = await rows(key)
    expect(found.map(({ bytes }) => bytes)).toEqual([1_262_500, 252_500, 252_500, 252_500, 252_500])
    expect(found[0]).toMatchObject({
      object: expect.stringMatching(/^\d+\/1\/\w+\/stdout\/4-/) as string,
      stored: 1,
    })
    await store.settle(key)
    expect((await rows(key)).map(({ object, bytes }) => [object === null, bytes])).toEqual([
      [false, 1_262_500],
      [false, 1_010_000],
    ])
    expect(await bucket.list(`${key.runKey}/`)).toHaveLength(2)
    await store.removeRuns([key.runKey])
    expect(await bucket.list(`${key.runKey}/`)).toEqual([])
  })

  test('one of two writers that store the same part wins, and the other leaves nothing behind', async () => {
    const key = await newKey()
    const [one, other] = [createS3LogStore(db, bucket), createS3LogStore(db, bucket)]
    for (let sequence = 0; sequence < 3; sequence++)
      await one.append(key, sequence, block(sequence * 100 + 1, 100))
    await Promise.all([one.settle(key), other.settle(key)])
    expect(await rows(key)).toHaveLength(1)
    expect(await bucket.list(`${key.runKey}/`)).toHaveLength(1)
    expect((await readAll(one, key)).equals(block(1, 300))).toBe(true)
  })

  test('an unreachable bucket stops nothing, and gets the missing parts later', async () => {
    const failures: unknown[] = []
    const store = createS3LogStore(db, bucket, (error) => failures.push(error))
    const key = await newKey()
    await stop()
    for (let sequence = 0; sequence < 6; sequence++)
      await store.append(key, sequence, block(sequence * 2_500 + 1, 2_500))
    await store.settle(key)
    expect(failures).toHaveLength(1)
    expect((await readAll(store, key)).equals(block(1, 15_000))).toBe(true)
    await start()
    const later = createS3LogStore(db, bucket)
    await later.settle(key)
    expect((await rows(key)).every(({ object }) => object !== null)).toBe(true)
    expect((await readAll(store, key)).equals(block(1, 15_000))).toBe(true)
    await stop()
    await expect(readAll(store, key)).rejects.toMatchObject({ code: 'service_unavailable' })
    await start()
  })

  test('the loss of a bucket loses nothing but its content', async () => {
    const store = createS3LogStore(db, bucket)
    const [lost, kept] = [await newKey(), await newKey()]
    for (let sequence = 0; sequence < 6; sequence++) await store.append(lost, sequence, block(1, 2_500))
    await store.settle(lost)
    for (const name of await bucket.list('')) await bucket.remove(name)
    await store.append(kept, 0, Buffer.from('written later\n'))
    await store.settle(kept)
    expect((await readAll(store, kept)).toString()).toBe('written later\n')
    await expect(readAll(store, lost)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('a part of this log is missing in its bucket') as string,
    })
    expect(await db.sql`select * from millrace.check_invariants()`).toEqual([])
  })

  test('a wrong secret is refused, and the error does not contain it', async () => {
    const failures: Error[] = []
    const wrong = openBucket({
      ...location,
      credentials: { ...location.credentials, secretAccessKey: 'guessed' },
    })
    const store = createS3LogStore(db, wrong, (error) => failures.push(error as Error))
    const key = await newKey()
    await store.append(key, 0, Buffer.from('kept'))
    await store.settle(key)
    expect(failures[0]?.message).toBe(
      'the store of logs cannot be reached: PUT was answered with 403 SignatureDoesNotMatch',
    )
    expect((await readAll(store, key)).toString()).toBe('kept')
  })

  test('the key may come from a platform that changes it', async () => {
    const keys = await keyServer()
    const credentials = { url: keys.url, token: undefined, tokenFile: undefined }
    const lent = openBucket({ ...location, credentials })
    await expect(lent.put('a', Buffer.from('1'))).rejects.toMatchObject({
      code: 'service_unavailable',
      message: `the store of logs cannot be reached: no key: ${keys.url} answered with 503`,
    })
    const { accessKeyId: id, secretAccessKey: secret } = location.credentials
    keys.answer = { id, secret: 'of before', endsInMs: 1_000 }
    await expect(lent.put('a', Buffer.from('1'))).rejects.toMatchObject({
      message: expect.stringContaining('403 SignatureDoesNotMatch') as string,
    })
    keys.answer = { id, secret, endsInMs: 3_600_000 }
    await until('the new key is requested', () =>
      lent.put('a', Buffer.from('1')).then(
        () => true,
        () => false,
      ),
    )
    expect(Buffer.from((await lent.get('a')) ?? []).toString()).toBe('1')
    await lent.remove('a')
    expect(keys.shown).toHaveLength(3)
  })
})
