import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { readMigrations } from '#lib/db/read-migrations.ts'
import { testApi } from '#tests/support/api.ts'
import { buildBundles, startBundle } from '#tests/support/built.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { until } from '#tests/support/until.ts'

const api = await testApi()
process.env['SOURCE_DATE_EPOCH'] = String(Date.UTC(2026, 10, 20) / 1000)
const { dist, empty } = buildBundles()
const bundle = (part: string): string => join(dist, part, 'index.mjs')
const settings = { DATABASE_URL: api.database.url, MILLRACE_DATA_DIR: empty, MILLRACE_LOG_LEVEL: 'warn' }

async function statusOf(name: string, run: string): Promise<number> {
  return (await api.get<{ dagRun: { status: number } }>(`/dag-runs/${name}/${run}`)).body.dagRun.status
}

test('the API bundle runs in an empty folder and serves the web page', async () => {
  const began = performance.now()
  const server = startBundle(bundle('api'), { ...settings, MILLRACE_PORT: '0' }, { cwd: empty })
  const url = await server.says(/listens on (http:\S+)/)
  const health = await fetch(`${url}/api/v2/health`)
  console.log(`first answer of a fresh process: ${Math.round(performance.now() - began)} ms`)
  expect(await health.json()).toMatchObject({ status: 'healthy' })
  expect(await (await fetch(`${url}/api/v2/metrics`)).text()).toContain(
    'build_date="2026-11-20T00:00:00.000Z"',
  )
  expect((await fetch(`${url}/api/v2/openapi.json`)).status).toBe(200)
  const reference = await fetch(`${url}/api/docs`, { headers: { accept: 'text/html' } })
  expect([reference.status, reference.url]).toEqual([200, `${url}/reference`])
  const page = await (await fetch(`${url}/runs`, { headers: { accept: 'text/html' } })).text()
  const script = await fetch(`${url}/${/src="\.\/([^"]+)"/.exec(page)?.[1]}`)
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  await script.body?.cancel()
  expect(await server.stop()).toBe(0)
})

test('V8 can keep every bundle in one byte per character', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.mjs'),
  )
  expect(files).toContain('api/index.mjs')
  const wide = files.filter((file) => /[^\0-\xff]/.test(readFileSync(join(dist, file), 'utf8')))
  expect(wide).toEqual([])
})

test('the migrate bundle contains the migrations', async () => {
  const name = `millrace_test_${randomBytes(8).toString('hex')}`
  const url = urlOf(inject('databaseServer'), name)
  const admin = connect(inject('databaseServer'), { max: 1, applicationName: 'millrace-tests' })
  afterAll(() => admin.close())
  await admin.sql.unsafe(`create database ${name}`)
  try {
    const migrating = startBundle(bundle('migrate'), { ...settings, DATABASE_URL: url }, { cwd: empty })
    expect([await migrating.exit, migrating.output()]).toEqual([0, 'the database is up to date'])
    const db = connect(url, { max: 1, applicationName: 'millrace-tests' })
    const applied = await db.sql<{ name: string }[]>`select name from millrace.migration order by name`
    await db.close()
    expect(applied.map((row) => row.name)).toEqual(readMigrations().map((row) => row.name))
  } finally {
    await admin.sql.unsafe(`drop database ${name} with (force)`)
  }
})

test('the runner bundle contains every executor', async () => {
  await api.createDag(
    'all',
    `steps:
  - {name: shell, command: echo plum, output: FRUIT}
  - {name: jq, executor: {type: jq, config: {raw: true}}, script: '{"plum": 3}', command: '.[$FRUIT]', output: PRICE}
  - {name: http, executor: http, command: GET http://127.0.0.1:1/, continueOn: {failure: true}}
  - name: ssh
    executor: {type: ssh, config: {user: ann, host: 127.0.0.1, port: 1, password: x, strictHostKey: false}}
    command: echo
    continueOn: {failure: true}
  - name: docker
    executor: {type: docker, config: {image: none, pull: never}}
    command: echo
    continueOn: {failure: true}
  - name: mail
    executor: {type: mail, config: {to: a@example.org, from: b@example.org, subject: none, message: none}}
    continueOn: {failure: true}
`,
  )
  const own = { ...settings, DOCKER_HOST: 'tcp://127.0.0.1:1' }
  const runner = startBundle(bundle('runner'), own, { cwd: empty })
  const run = await api.start('all')
  await until('the run has ended', async () => (await statusOf('all', run)) > 1)
  const { body } = await api.get<{
    dagRun: { nodes: { step: { name: string }; status: number; error?: string; outputs?: unknown }[] }
  }>(`/dag-runs/all/${run}`)
  const ends = body.dagRun.nodes.map(({ step, status, error = '' }) => [step.name, status, error])
  expect(Object.fromEntries(ends.map(([name, ...rest]) => [name, rest]))).toEqual({
    shell: [4, ''],
    jq: [4, ''],
    http: [2, expect.stringContaining('ECONNREFUSED')],
    ssh: [2, expect.stringContaining('ECONNREFUSED')],
    docker: [2, expect.stringContaining('ECONNREFUSED')],
    mail: [2, expect.stringContaining('smtp')],
  })
  expect(await runner.stop()).toBe(0)
})

test('the server bundle starts the runner bundle next to it', async () => {
  const server = startBundle(bundle('main'), { ...settings, MILLRACE_PORT: '0' }, { cwd: empty })
  const url = await server.says(/listens on (http:\S+)/)
  await api.createDag('plain')
  const headers = { 'content-type': 'application/json' }
  const started = await fetch(`${url}/api/v2/dags/plain/start`, { method: 'POST', headers, body: '{}' })
  const { dagRunId } = (await started.json()) as { dagRunId: string }
  await until('the run has succeeded', async () => (await statusOf('plain', dagRunId)) === 4)
  expect(await server.stop()).toBe(0)
})

test('the tick bundle ticks once and exits', async () => {
  const tick = startBundle(bundle('tick'), settings, { cwd: empty })
  expect(await tick.exit).toBe(0)
  expect(JSON.parse(tick.output())).toMatchObject({ nextDueMs: expect.any(Number) })
})
