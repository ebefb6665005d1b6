import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import { openLogWriter } from '#lib/runner/log/log-writer.ts'

const folder = await mkdtemp(join(tmpdir(), 'millrace-logs-'))
const store = createFileLogStore(folder)
afterAll(() => rm(folder, { recursive: true }))

async function written(step: string, pieces: readonly string[], bytesMax: number): Promise<string> {
  const key = { runKey: '1', attempt: 1, step, stream: 'stdout' } as const
  const start = { sequence: 0, bytes: 0 }
  const writer = openLogWriter(store, key, { maskedValues: ['s3cret', 'two\nlines'], bytesMax, start })
  for (const piece of pieces) await writer.write(Buffer.from(piece))
  await writer.close()
  const chunks: Uint8Array[] = []
  for await (const chunk of store.read(key, 0)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

test('secrets are masked, even when they are split across writes', async () => {
  expect(await written('a', ['x s3c', 'r', 'et y s3', 'x two\n', 'lines'], 1_000)).toBe(
    'x ******* y s3x *******',
  )
})

/** Lines of ten bytes each. */
const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `line ${String(from + index).padStart(4, '0')}\n`)

test('a stream that is too long keeps its head and its end, and a line counts the omitted bytes', async () => {
  const lines = numbered(2_000)
  const text = await written('b', lines, 8_000)
  expect(text.length).toBeLessThanOrEqual(8_000)
  const kept = text.split('\n').filter((line) => line.startsWith('line'))
  expect(text.startsWith(lines.slice(0, 600).join(''))).toBe(true)
  expect(text.endsWith(lines.slice(-29).join(''))).toBe(true)
  const [, left] = /^\[(\d+) bytes are omitted here\]$/m.exec(text) ?? []
  expect(Number(left)).toBe(10 * (lines.length - kept.length))
  expect(text).toContain('[the log is too long: of the rest, only the last 300 bytes follow')
})

test('a stream that fits together with its end loses nothing', async () => {
  const lines = numbered(620)
  const text = await written('short', lines, 8_000)
  expect(text.split('\n').filter((line) => line.startsWith('line'))).toHaveLength(620)
  expect(text).not.toContain('omitted')
})

test('secrets are masked where the stream is cut', async () => {
  const text = await written('cut', ['x'.repeat(5_995), 's3c', 'ret', 'y'.repeat(4_000), 's3cr', 'et'], 8_000)
  expect(text).not.toMatch(/s3c|cret/)
  expect(text.startsWith(`${'x'.repeat(5_995)}*****\n[the log is too long`)).toBe(true)
  expect(text.endsWith('yyy*******')).toBe(true)
})

test('each further writer of a full stream keeps its end, and the stream stays bounded', async () => {
  const key = { runKey: '1', attempt: 1, step: 'again', stream: 'stdout' } as const
  const ends: boolean[] = []
  for (let attempt = 0; attempt < 60; attempt++) {
    const start = await store.end(key)
    const writer = openLogWriter(store, key, { maskedValues: [], bytesMax: 80_000, start })
    for (const line of numbered(9_000, attempt)) await writer.write(Buffer.from(line))
    await writer.close()
    const text = Buffer.concat(await Array.fromAsync(store.read(key, 0))).toString('utf8')
    ends.push(text.endsWith(numbered(9_000, attempt).at(-1) ?? ''))
  }
  expect(ends.slice(0, 5)).toEqual([true, true, true, true, true])
  expect(ends.at(-1)).toBe(false)
  expect((await store.end(key)).bytes).toBeLessThanOrEqual(80_000)
})

test('the head is stored while the step still runs', async () => {
  const key = { runKey: '1', attempt: 1, step: 'head', stream: 'stdout' } as const
  const start = { sequence: 0, bytes: 0 }
  const writer = openLogWriter(store, key, { maskedValues: [], bytesMax: 8_000, start })
  for (const line of numbered(2_000)) void writer.write(Buffer.from(line))
  await writer.flush()
  const text = Buffer.concat(await Array.fromAsync(store.read(key, 0))).toString('utf8')
  expect(text.startsWith(numbered(600).join(''))).toBe(true)
  expect(text.endsWith('follow when the step ends]\n')).toBe(true)
  await writer.close()
})

test('the first output of a prompt stream is stored at once, the next is gathered', async () => {
  const key = { runKey: '1', attempt: 1, step: 'prompt', stream: 'stdout' } as const
  const appended: string[] = []
  const { promise: first, resolve } = Promise.withResolvers<void>()
  const noted: LogStore = {
    ...store,
    append: async (...given) => {
      appended.push(Buffer.from(given[2]).toString())
      await store.append(...given)
      resolve()
    },
  }
  const start = { sequence: 0, bytes: 0 }
  const writer = openLogWriter(noted, key, { maskedValues: [], bytesMax: 100, isPrompt: true, start })
  void writer.write(Buffer.from('one '))
  void writer.write(Buffer.from('line\n'))
  await first
  void writer.write(Buffer.from('two '))
  void writer.write(Buffer.from('lines\n'))
  expect(appended).toEqual(['one line\n'])
  await writer.flush()
  expect(appended).toEqual(['one line\n', 'two lines\n'])
  await writer.close()
})

test('many megabytes are stored in order', async () => {
  const piece = 'line of text\n'.repeat(10_000)
  expect(
    await written(
      'c',
      Array.from({ length: 20 }, () => piece),
      10_000_000,
    ),
  ).toBe(piece.repeat(20))
})
