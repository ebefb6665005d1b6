import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import { selectWindow } from '#lib/logs/select-window.ts'

const folder = await mkdtemp(join(tmpdir(), 'millrace-logs-'))
const store = createFileLogStore(folder)
afterAll(() => rm(folder, { recursive: true }))

const key = (step: string) => ({ runKey: '7', attempt: 1, step, stream: 'stdout' }) as const
const bytes = (text: string) => new TextEncoder().encode(text)

test('lines come back by any window, and what is appended twice is stored once', async () => {
  const numbers = key('../../escape: no')
  await store.append(numbers, 0, bytes('one\ntwo\n'))
  await store.append(numbers, 1, bytes('three\nfour'))
  await store.append(numbers, 1, bytes('three\nfour'))
  const read = async (query: Parameters<typeof selectWindow>[0]) => {
    const lines = await store.window(numbers, selectWindow(query))
    return [new TextDecoder().decode(lines.bytes), lines.lineCount, lines.totalLines, lines.firstLine]
  }
  expect(await read({})).toEqual(['one\ntwo\nthree\nfour', 4, 4, 1])
  expect(await read({ tail: 2, head: 1 })).toEqual(['three\nfour', 2, 4, 3])
  expect(await read({ head: 1, offset: 3 })).toEqual(['one', 1, 4, 1])
  expect(await read({ offset: 2, limit: 2 })).toEqual(['two\nthree', 2, 4, 2])
  expect(await read({ offset: 9 })).toEqual(['', 0, 4, 0])
  expect(store.localPath(numbers)?.startsWith(join(folder, '0', '7', '1'))).toBe(true)
})

test('a log that was never written has no lines', async () => {
  expect(await store.window(key('silent'), selectWindow({ tail: -1, limit: 0 }))).toMatchObject({
    lineCount: 0,
    totalLines: 0,
  })
})
