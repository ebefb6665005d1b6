import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'
import { selectWindow } from '#lib/logs/select-window.ts'
import { readWindow } from '#tests/support/read-window.ts'

const folder = await mkdtemp(join(tmpdir(), 'millrace-logs-'))
const store = createFileLogStore(folder)
afterAll(() => rm(folder, { recursive: true }))

const key = (step: string) => ({ runKey: '7', attempt: 1, step, stream: 'stdout' }) as const
const bytes = (text: string) => new TextEncoder().encode(text)

test('any window of lines can be read, and a repeated append is stored once', async () => {
  const numbers = key('../../escape: no')
  await store.append(numbers, 0, bytes('one\ntwo\n'))
  await store.append(numbers, 1, bytes('three\nfour'))
  await store.append(numbers, 1, bytes('three\nfour'))
  const read = async (query: Parameters<typeof selectWindow>[0]) => {
    const lines = await readWindow(store, numbers, selectWindow(query))
    return [new TextDecoder().decode(lines.bytes), lines.lineCount, lines.totalLines, lines.firstLine]
  }
  expect(await read({})).toEqual(['one\ntwo\nthree\nfour', 4, 4, 1])
  expect(await read({ tail: 2, head: 1 })).toEqual(['three\nfour', 2, 4, 3])
  expect(await read({ head: 1, offset: 3 })).toEqual(['one', 1, 4, 1])
  expect(await read({ offset: 2, limit: 2 })).toEqual(['two\nthree', 2, 4, 2])
  expect(await read({ offset: 9 })).toEqual(['', 0, 4, 0])
  expect(store.localPath(numbers)?.startsWith(join(folder, '0', '7-1-'))).toBe(true)
})

test.runIf(existsSync('/proc/self/fd'))(
  'the file of a stream stays open until the stream is settled',
  async () => {
    const open = async () => {
      const links = (await readdir('/proc/self/fd')).map((fd) =>
        readlink(`/proc/self/fd/${fd}`).catch(() => ''),
      )
      return (await Promise.all(links)).filter((path) => path.startsWith(folder)).length
    }
    const before = await open()
    await store.append(key('kept open'), 0, bytes('one\n'))
    await store.append(key('kept open'), 1, bytes('two\n'))
    expect((await open()) - before).toBe(1)
    await store.settle(key('kept open'))
    await store.settle(key('kept open'))
    expect((await open()) - before).toBe(0)
    await store.append(key('kept open'), 2, bytes('three\n'))
    await store.settle(key('kept open'))
    expect((await readWindow(store, key('kept open'), selectWindow({}))).totalLines).toBe(3)
  },
)

test('the logs of removed runs are deleted, those of other runs in the same folder stay', async () => {
  const of = (runKey: string, attempt: number) => ({ ...key('step'), runKey, attempt })
  const [kept, gone, again] = [of('4012', 1), of('401', 1), of('4011', 2)]
  for (const one of [kept, gone, again]) await store.append(one, 0, bytes('line\n'))
  await store.removeRuns(['401', '4011', '77777'])
  expect(await Promise.all([kept, gone, again].map(async (one) => (await store.end(one)).bytes))).toEqual([
    5, 0, 0,
  ])
  expect((await readdir(folder)).sort()).toEqual(['0', '40'])
  expect(await readdir(join(folder, '40'))).toHaveLength(1)
  await store.removeRuns(['4012'])
  expect(await readdir(folder)).toEqual(['0'])
})

test('lines of a large log are found through its line index, even when two processes wrote it', async () => {
  const large = key('large')
  const line = (number: number) => `${String(number).padStart(9, '0')} ${'x'.repeat(90)}\n`
  const block = (first: number) => bytes(Array.from({ length: 1_000 }, (_, at) => line(first + at)).join(''))
  for (let sequence = 0; sequence < 30; sequence++)
    await store.append(large, sequence, block(sequence * 1_000 + 1))
  const second = createFileLogStore(folder)
  for (let sequence = 30; sequence < 60; sequence++)
    await second.append(large, sequence, block(sequence * 1_000 + 1))
  await second.append(large, 60, bytes('the end'))
  const marks = (await readFile(`${store.localPath(large)}.lines`, 'utf8')).trim().split('\n')
  expect(marks).toHaveLength(5)
  for (const first of [1, 10_400, 10_486, 10_487, 31_000, 59_999]) {
    const found = await readWindow(store, large, { from: 'start', offset: first, limit: 2 })
    expect(found).toMatchObject({ lineCount: 2, totalLines: 60_001, firstLine: first })
    expect(`${new TextDecoder().decode(found.bytes)}\n`).toBe(line(first) + line(first + 1))
  }
  const end = await readWindow(store, large, { from: 'end', limit: 2 })
  expect(new TextDecoder().decode(end.bytes)).toBe(`${line(60_000)}the end`)
})

test('a log that was never written has no lines', async () => {
  expect(await readWindow(store, key('silent'), selectWindow({ tail: -1, limit: 0 }))).toMatchObject({
    lineCount: 0,
    totalLines: 0,
  })
})

test.each(['fifo', 'folder', 'link', 'endless link'])(
  'a %s that a step puts in place of its log or of the folder stops neither reads nor writes',
  async (kind) => {
    const replace = (path: string): void => {
      rmSync(path, { recursive: true })
      if (kind === 'fifo') execFileSync('mkfifo', [path])
      if (kind === 'folder') mkdirSync(join(path, 'full'), { recursive: true })
      if (kind === 'link') symlinkSync('/etc/hostname', path)
      if (kind === 'endless link') symlinkSync(path, path)
    }
    const read = async (store: LogStore, of: LogKey): Promise<string> => {
      const { bytes: found } = await readWindow(store, of, selectWindow({}))
      const pieces: Uint8Array[] = []
      for await (const piece of store.read(of, 0)) pieces.push(piece)
      expect(Buffer.concat(pieces).toString().trimEnd()).toBe(new TextDecoder().decode(found))
      return Buffer.concat(pieces).toString()
    }
    const first = { ...key(kind), runKey: '1701' }
    const path = store.localPath(first) ?? ''
    await store.append(first, 0, bytes('before\n'))
    await store.settle(first)
    replace(path)
    expect(await read(store, first)).toBe('')
    await createFileLogStore(folder).append(first, 1, bytes('after\n'))
    expect(await read(store, first)).toBe('after\n')
    expect(readFileSync('/etc/hostname', 'utf8')).not.toContain('after')
    if (kind !== 'folder' && kind !== 'endless link') {
      replace(dirname(path))
      await store.append({ ...first, runKey: '1702' }, 0, bytes('other\n'))
      expect(await read(store, { ...first, runKey: '1702' })).toBe('other\n')
    }
    await store.removeRuns(['1701', '1702'])
  },
)
