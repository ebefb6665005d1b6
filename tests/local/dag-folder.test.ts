import { execFileSync } from 'node:child_process'
import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, type FSWatcher } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { syncFolder } from '#local/dag-folder.ts'
import { testDatabase } from '#tests/support/database.ts'
import { startProxy } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'

/** The watchers that were made: Linux has no way to let one of them fail. */
const watchers: FSWatcher[] = []
const { watch } = fs
fs.watch = ((...given: Parameters<typeof watch>) => {
  const watcher = watch(...given)
  watchers.push(watcher)
  return watcher
}) as typeof watch
syncBuiltinESMExports()

const { db, url } = await testDatabase()
const proxy = await startProxy(url)
const away = connect(proxy.through(url), { max: 1, applicationName: 'millrace-test', statementMs: 1_000 })
const folder = mkdtempSync(join(tmpdir(), 'millrace-dags-'))
const lines: string[] = []
const log = createLog({ level: 'info', part: 'server' }, { write: (line) => void lines.push(line) })
const sync = await syncFolder({ db: away, log, defaults: { zone: 'UTC' } }, folder)

afterAll(async () => {
  fs.watch = watch
  syncBuiltinESMExports()
  await sync.stop()
  await away.close()
  await proxy.close()
})

test('a file that changes while the database is away is stored when it is back', async () => {
  await proxy.way('refusing')
  writeFileSync(join(folder, 'late.yaml'), 'steps:\n  - echo late\n')
  await until('the failure is told', () => lines.some((line) => line.includes('dag.rejected')))
  await proxy.way('open')
  await until('the file is stored', async () => (await db.sql`select 1 from millrace.dag`).length === 1)
  expect(lines.filter((line) => line.includes('dag.loaded'))).toHaveLength(1)
})

const isStored = (name: string, echo = name) =>
  until(`${name} is stored`, async () => {
    const rows = await db.sql`
      select from millrace.dag d join millrace.definition f on f.hash = d.definition_hash
      where d.file_name = ${name} and f.spec = ${`steps:\n  - echo ${echo}\n`}`
    return rows.length === 1
  })

function put(name: string, echo = name): void {
  writeFileSync(join(folder, `${name}.yaml`), `steps:\n  - echo ${echo}\n`)
}

test('what is no file is told and passed over, and the others are stored', async () => {
  execFileSync('mkfifo', [join(folder, 'a-fifo.yaml')])
  mkdirSync(join(folder, 'a-folder.yaml'))
  symlinkSync('a-loop.yaml', join(folder, 'a-loop.yaml'))
  symlinkSync('/dev/zero', join(folder, 'a-device.yaml'))
  put('sound')
  await isStored('sound')
  const said = lines.filter((line) => line.includes('dag.rejected')).join()
  for (const why of ['is a FIFO', 'is a folder', 'is a link without an end', 'is a device']) {
    expect(said).toContain(why)
  }
})

test('a watcher that fails is replaced', async () => {
  const made = watchers.length
  watchers.at(-1)?.emit('error', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
  expect(lines.filter((line) => line.includes('dag.unwatched'))).toHaveLength(1)
  await until('there is another', () => watchers.length === made + 1)
  put('after-failure')
  await isStored('after-failure')
})

test('a folder that is removed and comes back is watched again', async () => {
  const made = watchers.length
  rmSync(folder, { recursive: true })
  await until('its absence is told', () => lines.some((line) => line.includes('ENOENT')))
  mkdirSync(folder)
  put('back')
  await isStored('back')
  await until('it is watched', () => watchers.length > made)
  put('back', 'again')
  await isStored('back', 'again')
})

test('a file whose name is a word of the API is rejected with the reason, and the others are stored', async () => {
  put('search')
  put('beside')
  await isStored('beside')
  expect(lines.find((line) => line.includes('search.yaml'))).toContain('these are words of the API')
  expect(await db.sql`select from millrace.dag where file_name = 'search'`).toEqual([])
})
