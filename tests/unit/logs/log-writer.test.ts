import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import { openLogWriter } from '#lib/logs/log-writer.ts'

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

test('secrets are masked, also when they are split over writes', async () => {
  expect(await written('a', ['x s3c', 'r', 'et y s3', 'x two\n', 'lines'], 1_000)).toBe(
    'x ******* y s3x *******',
  )
})

test('what is too long is cut behind a line that says so', async () => {
  const text = await written('b', ['0123456789', 'more', 'more'], 12)
  expect(text).toBe('0123456789mo\n[the log is cut here: it is longer than 12 bytes]\n')
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

test('many megabytes come through in order', async () => {
  const piece = 'line of text\n'.repeat(10_000)
  expect(
    await written(
      'c',
      Array.from({ length: 20 }, () => piece),
      10_000_000,
    ),
  ).toBe(piece.repeat(20))
})
