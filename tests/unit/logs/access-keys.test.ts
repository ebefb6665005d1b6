import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { accessKeys, type KeySource } from '#lib/logs/access-keys.ts'
import { keyServer } from '#tests/support/key-server.ts'

const server = await keyServer()
const minute = 60_000
const key = (id: string, endsInMs: number) => ({ id, secret: `secret of ${id}`, endsInMs })
const source = (more: Partial<KeySource> = {}): KeySource => {
  return { url: server.url, token: undefined, tokenFile: undefined, ...more }
}
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  server.shown.length = 0
})
afterEach(() => vi.useRealTimers())

test('a key from the settings is returned unchanged', async () => {
  const given = { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: undefined }
  expect(await accessKeys(given)()).toBe(given)
})

test('concurrent callers share one request for a key, which is renewed five minutes before it expires', async () => {
  const keyNow = accessKeys(source())
  server.answer = key('first', 60 * minute)
  const first = { accessKeyId: 'first', secretAccessKey: 'secret of first', sessionToken: 'session of first' }
  expect(await Promise.all([keyNow(), keyNow(), keyNow()])).toEqual([first, first, first])
  server.answer = key('second', 60 * minute)
  pass(54 * minute)
  expect(await keyNow()).toEqual(first)
  expect(server.shown).toHaveLength(1)
  pass(1 * minute)
  expect(await Promise.all([keyNow(), keyNow()])).toMatchObject([
    { accessKeyId: 'second' },
    { accessKeyId: 'second' },
  ])
  expect(server.shown).toEqual([undefined, undefined])
})

test('the last key is used until it expires while the source fails, which is retried after a pause', async () => {
  const keyNow = accessKeys(source())
  server.answer = key('first', 6 * minute)
  await keyNow()
  server.answer = 503
  pass(2 * minute)
  for (let call = 0; call < 5; call++) expect(await keyNow()).toMatchObject({ accessKeyId: 'first' })
  expect(server.shown).toHaveLength(2)
  pass(10_000)
  expect(await keyNow()).toMatchObject({ accessKeyId: 'first' })
  expect(server.shown).toHaveLength(3)
  pass(4 * minute)
  await expect(keyNow()).rejects.toThrow(`${server.url} answered with 503`)
  server.answer = key('second', 60 * minute)
  expect(await keyNow()).toMatchObject({ accessKeyId: 'second' })
})

test('a key that expires soon is not requested at every use', async () => {
  const keyNow = accessKeys(source())
  server.answer = key('short', 2 * minute)
  for (let call = 0; call < 5; call++) await keyNow()
  expect(server.shown).toHaveLength(1)
  pass(2 * minute)
  await keyNow()
  expect(server.shown).toHaveLength(2)
})

test('the token is sent, and read from its file for every request', async () => {
  server.answer = key('short', 2 * minute)
  await accessKeys(source({ token: 'Bearer of it' }))()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-token-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const tokenFile = join(folder, 'token')
  const keyNow = accessKeys(source({ token: 'not this', tokenFile }))
  await expect(keyNow()).rejects.toThrow(/ENOENT/)
  writeFileSync(tokenFile, 'one\n')
  await keyNow()
  writeFileSync(tokenFile, 'two\n')
  pass(2 * minute)
  await keyNow()
  expect(server.shown).toEqual(['Bearer of it', 'one', 'two'])
})

test.each([
  '',
  '{}',
  'null',
  '{"AccessKeyId":"a","SecretAccessKey":"hidden","Token":"b","Expiration":"never"}',
])('an answer that is not a key is reported without its text: %s', async (text) => {
  server.answer = text
  await expect(accessKeys(source())()).rejects.toThrow(
    new Error(`${server.url} answered with something else than a key`),
  )
})
