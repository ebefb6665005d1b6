import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import { makeDataFolder, makeLogFolderPrivate, makeWorkFolder } from '#lib/privileges/private-folders.ts'

let folder = mkdtempSync(join(tmpdir(), 'millrace-private-'))
const folders = [folder]
beforeEach(() => folders.push((folder = mkdtempSync(join(tmpdir(), 'millrace-private-')))))
afterAll(() => {
  process.umask(umask)
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})
const umask = process.umask(0)
const modeOf = (...path: string[]): string => (statSync(join(folder, ...path)).mode & 0o7777).toString(8)
const ofData = process.getuid?.() === 0 ? '711' : '700'

test('created folders and files are private, whatever the umask', async () => {
  makeDataFolder(join(folder, 'data'))
  makeWorkFolder(join(folder, 'data/work'))
  const key = { runKey: '123', attempt: 1, step: 'a', stream: 'stdout' } as const
  const logs = createFileLogStore(join(folder, 'data/logs'))
  await logs.append(key, 0, Buffer.alloc(2_000_000, 'x\n'), '')
  await logs.settle(key)
  expect([modeOf('data'), modeOf('data/work'), modeOf('data/logs'), modeOf('data/logs/1')]).toEqual([
    ofData,
    '700',
    '700',
    '700',
  ])
  const file = logs.localPath(key) ?? ''
  expect([file, `${file}.lines`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
})

test('existing folders that others may read are made private', () => {
  for (const name of ['', 'logs', 'logs/12', 'work', 'work/hello']) {
    mkdirSync(join(folder, name), { recursive: true })
    chmodSync(join(folder, name), 0o755)
  }
  makeDataFolder(folder)
  makeLogFolderPrivate(join(folder, 'logs'))
  makeWorkFolder(join(folder, 'work'))
  expect([modeOf(), modeOf('logs'), modeOf('work')]).toEqual([ofData, '700', '700'])
})

test('a folder with other content keeps its mode', () => {
  for (const name of ['', 'logs', 'letters']) {
    mkdirSync(join(folder, name), { recursive: true })
    chmodSync(join(folder, name), 0o755)
  }
  writeFileSync(join(folder, 'logs/syslog'), '')
  makeDataFolder(folder)
  makeLogFolderPrivate(join(folder, 'logs'))
  expect([modeOf(), modeOf('logs')]).toEqual(['755', '755'])
})
