import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import { listLogKeys } from '#lib/logs/list-log-keys.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { createS3LogStore } from '#lib/logs/s3-log-store.ts'
import { runnerKit } from '#tests/e2e/runner-kit.ts'
import { documents, millrace } from '#tests/support/command-line.ts'
import { hasS3, s3Server } from '#tests/support/s3-server.ts'

const { db, url, folder, logs, runner, start, finished } = await runnerKit()
const s3 = hasS3 ? await s3Server() : undefined

const move = async (from: string, to: string): Promise<unknown> => {
  const settings = {
    DATABASE_URL: url,
    AWS_ACCESS_KEY_ID: 'test:tester',
    AWS_SECRET_ACCESS_KEY: 'testing',
  }
  const { code, stdout, stderr } = await millrace(
    ['move-logs', '--from', from, '--to', to, '--json'],
    settings,
  )
  return code === 0 ? documents(stdout)[0] : { code, stderr }
}

async function textOf(store: LogStore, key: LogKey): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of store.read(key, 0)) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

async function everything(store: LogStore): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for await (const key of listLogKeys(db)) {
    const text = await textOf(store, key)
    if (text !== '') texts[`${key.runKey} ${key.attempt} ${key.step} ${key.stream}`] = text
  }
  return texts
}

const bytesOf = (texts: Record<string, string>): number => Object.values(texts).join('').length

test('logs move between all stores unchanged', async () => {
  const { stop } = runner()
  const first = await start([
    'steps:',
    '  - name: long',
    '    command: seq 300000',
    '  - echo two >&2; printf three',
  ])
  await finished(first)
  await finished(await start(['steps:', '  - name: bad', '    command: sh -c "echo no; exit 3"']))
  const before = await everything(logs)
  expect(Object.keys(before)).toHaveLength(6)
  const all = { logs: 6, bytes: bytesOf(before), differing: 0 }
  const none = { logs: 0, bytes: 0, differing: 0 }
  const other = `file:${join(folder, 'other')}`
  const postgres = createPostgresLogStore(db)

  const early = await move(`file:${join(folder, 'logs')}`, 'postgres:')
  expect(early).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('stop the runners first') as string,
  })
  await stop()
  expect(await move(`file:${join(folder, 'logs')}`, 'postgres:')).toEqual(all)
  expect(await everything(postgres)).toEqual(before)
  expect(await move(`file:${join(folder, 'logs')}`, 'postgres:')).toEqual(none)
  if (s3 !== undefined) {
    expect(await move('postgres:', s3.storeUrl)).toEqual(all)
    expect(await everything(createS3LogStore(db, s3.bucket))).toEqual(before)
    await expect(everything(postgres)).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await move(s3.storeUrl, other)).toEqual(all)
    expect(await move(s3.storeUrl, 'postgres:')).toEqual(all)
    expect(await s3.bucket.list('')).toEqual([])
    expect(await everything(postgres)).toEqual(before)
  } else expect(await move('postgres:', other)).toEqual(all)
  expect(await everything(createFileLogStore(join(folder, 'other')))).toEqual(before)
})

test('a different log that exists in the target is kept and reported', async () => {
  const target = createFileLogStore(join(folder, 'third'))
  const [key] = await Array.fromAsync(listLogKeys(db))
  if (key === undefined) throw new Error('no log')
  await target.append(key, 0, Buffer.from('something else'))
  expect(await move(`file:${join(folder, 'logs')}`, `file:${join(folder, 'third')}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`differs, not moved: ${target.describe(key)}`) as string,
  })
  expect(await textOf(target, key)).toBe('something else')
})

test('an invalid or missing log store is refused', async () => {
  expect(await move('file:a', 'ftp://b')).toMatchObject({
    stderr: expect.stringContaining('--to "ftp://b": must be postgres:') as string,
  })
  expect(await move('file:/nowhere', 'postgres:')).toMatchObject({
    stderr: expect.stringContaining('there is no folder /nowhere') as string,
  })
})
