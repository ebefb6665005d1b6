import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { begin, documents, millrace, serve } from '#tests/support/command-line.ts'
import { testDatabase } from '#tests/support/database.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { dataFolder } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

const { db, url } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'millrace-parts-'))
afterAll(() => rmSync(folder, { recursive: true }))

const settings = {
  DATABASE_URL: url,
  MILLRACE_DATA_DIR: folder,
  MILLRACE_PORT: '0',
  MILLRACE_LOG_LEVEL: 'silent',
}

test('migrate applies pending migrations and says so', async () => {
  expect(await millrace(['migrate'], settings)).toEqual({
    code: 0,
    stdout: 'the database is up to date\n',
    stderr: '',
  })
  expect(documents((await millrace(['migrate', '--json'], settings)).stdout)).toEqual([{ upToDate: true }])
})

test('tick without tables suggests millrace migrate', async () => {
  const { code, stderr } = await millrace(['tick'], { ...settings, DATABASE_URL: urlOf(url, 'postgres') })
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('is the database up to date? (millrace migrate)'),
  ])
})

test('a runner warns if it finds no tables or uses its own database', async () => {
  const readable = { MILLRACE_LOG_LEVEL: 'warn', MILLRACE_LOG_FORMAT: 'text' }
  const elsewhere = begin(['runner'], { ...settings, ...readable, DATABASE_URL: urlOf(url, 'postgres') })
  await until('it says what is missing', () => elsewhere.stdout.includes('run millrace migrate'))
  const data = dataFolder()
  const alone = begin(['runner'], { ...readable, MILLRACE_DATA_DIR: data.path })
  await until('it says which database it uses', () => alone.stdout.includes('a PostgreSQL of its own'))
  for (const runner of [elsewhere, alone]) runner.process.kill('SIGTERM')
  expect(await Promise.all([elsewhere.code, alone.code])).toEqual([0, 0])
  await data.remove()
}, 60_000)

test('tick does the due work once and reports it, or with --watch until a signal', async () => {
  const { code, stdout } = await millrace(['tick'], settings)
  expect(code).toBe(0)
  expect(documents(stdout)).toMatchObject([{ fired: 0, promoted: 0 }])
  await db.sql`delete from millrace.ticker`
  const watching = begin(['tick', '--watch'], settings)
  await until('it ticks', async () => (await db.sql`select from millrace.ticker`).length === 1)
  watching.process.kill('SIGTERM')
  expect(await watching.code).toBe(0)
})

test('api and runner run separately, and following a log survives a restart of the API', async () => {
  const first = await serve(['api'], settings)
  const runner = begin(['runner'], settings)
  const here = { MILLRACE_URL: first.url }
  const release = join(folder, 'release')
  const wait = `until [ -e ${release} ]; do sleep 0.05; done`
  writeFileSync(
    join(folder, 'spoken.yaml'),
    `steps:\n  - {name: a, command: "echo one; ${wait}; echo two"}\n`,
  )
  expect(await millrace(['import', join(folder, 'spoken.yaml')], here)).toMatchObject({ code: 0 })
  expect(await millrace(['start', 'spoken'], here)).toMatchObject({ code: 0 })
  const following = begin(['logs', 'spoken', '-f', '--step', 'a'], here)
  const waiting = begin(['start', 'spoken', '--wait'], here)
  await until('the first line is printed', () => following.stdout === 'one\n')
  await until('both run', async () => (await millrace(['ps'], here)).stdout.split('  running').length === 3)
  first.process.kill('SIGKILL')
  await first.code
  const second = await serve(['api'], { ...settings, MILLRACE_PORT: new URL(first.url).port })
  writeFileSync(release, '')
  expect(await following.code).toBe(0)
  expect(following.stdout).toBe('one\ntwo\n')
  expect(await waiting.code).toBe(0)
  for (const part of [second, runner]) part.process.kill('SIGTERM')
  expect(await second.code).toBe(0)
  expect(await runner.code).toBe(0)
}, 60_000)

test('up starts everything, and names an invalid setting', async () => {
  const data = dataFolder()
  const own = { MILLRACE_DATA_DIR: data.path, MILLRACE_PORT: '0' }
  const up = await serve(['up'], own)
  expect(await millrace(['start', 'hello', '--wait'], { MILLRACE_URL: up.url })).toMatchObject({ code: 0 })
  up.process.kill('SIGTERM')
  expect(await up.code).toBe(0)
  expect(await millrace(['up'], { ...own, MILLRACE_PORT: 'x' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('MILLRACE_PORT="x"') as string,
  })
  await data.remove()
})
