import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '#lib/client/client.ts'
import { buildBundles, startBundle } from '#tests/support/built.ts'
import { millrace } from '#tests/support/command-line.ts'
import { testDatabase } from '#tests/support/database.ts'
import { until } from '#tests/support/until.ts'

const { db, url } = await testDatabase()
const { dist, empty } = buildBundles('api', 'tick', 'main')
const folder = join(empty, 'dags')
mkdirSync(join(folder, 'team'), { recursive: true })

const textOf = (word: string): string => `steps:\n  - {name: say, command: echo ${word}}\n`
const put = (path: string, text: string): void => writeFileSync(join(folder, path), text)

const own = { DATABASE_URL: url, MILLRACE_DATA_DIR: empty, MILLRACE_PORT: '0' }
const shared = { ...own, MILLRACE_DAGS_DIR: folder }

const start = (part: string, settings: Readonly<Record<string, string>>, ...args: string[]) =>
  startBundle(join(dist, part, 'index.mjs'), settings, { args, cwd: empty })

const isStored = (fileName: string, spec: string) =>
  until(`${fileName} is stored`, async () => {
    const rows = await db.sql`
      select from millrace.dag d join millrace.definition f on f.hash = d.definition_hash
      where d.file_name = ${fileName} and f.spec = ${spec}`
    return rows.length === 1
  })

test('one tick at a time reads the folder, and the API shows its faults but cannot change its DAGs', async () => {
  put('team/etl.yaml', textOf('one'))
  put('broken.yaml', 'steps: [')
  // A single tick, as an external clock would call it, then two that keep running.
  expect(await start('tick', shared).exit).toBe(0)
  await isStored('etl', textOf('one'))
  const ticks = [start('tick', shared, '--watch'), start('tick', shared, '--watch')]
  for (const tick of ticks) await tick.says(/service\.started/)
  const api = start('api', own)
  const base = await api.says(/listens on (http:\S+)/)
  const call = createClient({ baseUrl: `${base}/api/v2` })

  put('team/etl.yaml', textOf('two'))
  await isStored('etl', textOf('two'))
  const { body } = await call('getDagSpec', { params: { fileName: 'etl' } })
  expect(body).toMatchObject({ spec: textOf('two') })
  const { body: listed } = await call('listDags', {})
  expect(listed).toMatchObject({ errors: [expect.stringMatching(/^broken\.yaml: ./)] })
  expect(await call('deleteDag', { params: { fileName: 'etl' } })).toMatchObject({
    status: 409,
    body: { details: { file: 'team/etl.yaml' } },
  })

  const command = { MILLRACE_URL: base }
  const status = await millrace(['status'], command)
  expect([status.code, status.stderr]).toEqual([0, expect.stringMatching(/^fault: broken\.yaml: /)])
  const file = join(empty, 'etl.yaml')
  writeFileSync(file, textOf('three'))
  const imported = await millrace(['import', file, '--replace'], command)
  expect([imported.code, imported.stdout]).toEqual([1, expect.stringContaining('team/etl.yaml')])
  const edited = await millrace(['edit', 'etl'], { ...command, EDITOR: `cp ${file}`, VISUAL: '' })
  expect([edited.code, edited.stderr]).toEqual([1, expect.stringContaining('team/etl.yaml')])
  const doctor = await millrace(['doctor'], shared)
  expect(doctor.stdout).toMatch(/^warn +DAG folder +.* is read by .*broken\.yaml: /m)

  // The tick that reads the folder is killed, and the other takes over.
  for (const tick of ticks) if (/dag\.loaded/.test(tick.output())) await tick.kill()
  rmSync(join(folder, 'broken.yaml'))
  put('team/etl.yaml', textOf('four'))
  await until('the other tick reads the change', async () => {
    const rows = await db.sql`
      select from millrace.dag d join millrace.definition f on f.hash = d.definition_hash
      where f.spec = ${textOf('four')}`
    return rows.length === 1
  })
  // An instance whose DAGs come from a folder gets no examples.
  const all = start('main', { ...own, MILLRACE_DATA_DIR: join(empty, 'data') })
  await all.says(/listens on (http:\S+?)\s/)
  expect(await db.sql`select file_name from millrace.dag`).toEqual([{ file_name: 'etl' }])
  await all.stop()
}, 120_000)
