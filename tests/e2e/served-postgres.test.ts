import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createClient } from '#lib/client/client.ts'
import { connect } from '#lib/db/client.ts'
import { buildBundles, startBundle, type Running } from '#tests/support/built.ts'
import { documents } from '#tests/support/command-line.ts'
import { servePostgres } from '#tests/support/served-postgres.ts'
import { until } from '#tests/support/until.ts'

const served = await servePostgres()
const { url, administer, restart } = served ?? {
  url: 'postgres://localhost',
  administer: () => Promise.resolve(''),
  restart: () => Promise.resolve(),
}
const db = connect(url, { max: 2, applicationName: 'tests' })
const { dist, empty } =
  served === undefined
    ? { dist: '', empty: '' }
    : buildBundles('api', 'tick', 'runner', 'migrate', 'millrace')
const ledger = join(empty, 'ledger')

afterAll(() => db.close())

function begin(part: string, args: readonly string[] = [], databaseUrl = url): Running {
  const settings = { DATABASE_URL: databaseUrl, MILLRACE_DATA_DIR: empty, MILLRACE_PORT: '0' }
  return startBundle(join(dist, part, 'index.mjs'), settings, { args, cwd: empty })
}

/** API, tick and runner, a process each, until the test ends. @returns the address of the API */
async function startParts(): Promise<string> {
  const others = [begin('tick', ['--watch']), begin('runner')]
  const address = await begin('api').says(/listens on (http:\S+)/)
  await Promise.all(others.map((part) => part.says(/service\.started/)))
  return `${address}/api/v2`
}

const ended = (name: string): Promise<string> =>
  until(`${name} has ended`, async () => {
    const [run] = await db.sql<{ status: string }[]>`
      select status from millrace.dag_run where dag_name = ${name} and finished_at is not null`
    return run?.status
  })

const lines = (): string[] => readFileSync(ledger, 'utf8').trim().split('\n').toSorted()

test.skipIf(served === undefined)('it wants TLS and the password', async () => {
  const wrong = new URL(url)
  wrong.password = 'wrong'
  for (const [address, refusal] of [
    [url.replace(/sslmode.*/, 'sslmode=disable'), 'no encryption'],
    [wrong.href, 'password authentication failed'],
  ] as const) {
    const migration = begin('migrate', [], address)
    expect(await migration.exit).toBe(1)
    expect(migration.output()).toContain(refusal)
  }
  expect(await administer("select rolpassword like 'SCRAM%' from pg_authid where rolname = 'ward'")).toBe('t')
})

test.skipIf(served === undefined)('its owner, who has no other rights, makes the tables', async () => {
  const migration = begin('migrate')
  expect([await migration.exit, migration.output()]).toEqual([0, 'the database is up to date'])
  const rights = 'rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls'
  expect(await administer(`select ${rights} from pg_roles where rolname = 'ward'`)).toBe('f')
  expect(await administer("select string_agg(extname, ',') from pg_extension")).toBe('plpgsql')
})

const note = (text: string): string => `echo ${text} >> ${ledger}`
const unsteady = `${note('unsteady')}; test $(grep -c unsteady ${ledger}) = 2`
const all = {
  type: 'graph',
  params: 'WHO=ward',
  steps: [
    { name: 'ask', command: `${note('ask $WHO')}; echo $WHO`, output: 'SAID' },
    { name: 'unsteady', command: unsteady, retryPolicy: { limit: 1, intervalSec: 0 } },
    {
      name: 'call',
      call: 'inner',
      parallel: ['b', 'A', 'c'],
      params: 'ITEM=${ITEM}',
      depends: ['ask', 'unsteady'],
    },
  ],
}
const inner = { name: 'inner', params: 'ITEM=none', steps: [{ name: 'work', command: note('inner $ITEM') }] }
const spec = [all, inner].map((document) => JSON.stringify(document)).join('\n---\n')

test.skipIf(served === undefined)('with its defaults, API, tick and runner run DAGs on it', async () => {
  // What the embedded server has not: a compiler of queries, and names sorted as in a dictionary.
  expect(await administer("select current_setting('jit'), pg_jit_available(), 'a' < 'B'")).toBe('on|t|t')
  const baseUrl = await startParts()
  const call = createClient({ baseUrl })
  expect(await call('createDag', { body: { name: 'all', spec } })).toMatchObject({ status: 201 })
  const started = await call('startDag', { params: { fileName: 'all' }, body: { params: 'WHO=Ada' } })
  expect(started.status).toBe(200)
  expect(await ended('all')).toBe('success')
  expect(lines()).toEqual(['ask Ada', 'inner A', 'inner b', 'inner c', 'unsteady', 'unsteady'])
  const secured = await administer(`
    select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'ward'`)
  expect(secured).toBe('t')

  // A query that is compiled for seconds would make it 503.
  const metrics = await call('getMetrics')
  expect(metrics.status === 200 && metrics.body).toContain('millrace_info')
  const doctor = begin('millrace', ['doctor', '--json'])
  expect(await doctor.exit).toBe(0)
  const findings = documents<{ check: string; level: string; text: string }>(doctor.output())
  const found = (check: string) => findings.find((finding) => finding.check === check)
  expect(found('database')).toMatchObject({ level: 'ok', text: expect.stringMatching(/^PostgreSQL \d+\./) })
  expect(found('invariants')).toMatchObject({ level: 'ok' })
})

const through = (marker: string): object => ({
  steps: [
    { name: 'hold', command: `${note('hold')}; until [ -e ${marker} ]; do sleep 0.1; done` },
    { name: 'then', command: note('then') },
  ],
})
const quick = { maxActiveRuns: 100, params: 'N=0', steps: [{ name: 'work', command: note('quick $N') }] }

test.skipIf(served === undefined)(
  'runs survive its stop and its crash, and nothing is done twice',
  async () => {
    writeFileSync(ledger, '')
    const marker = join(empty, 'go')
    const call = createClient({ baseUrl: await startParts() })
    for (const [name, dag] of Object.entries({ through: through(marker), quick })) {
      const made = await call('createDag', { body: { name, spec: JSON.stringify(dag) } })
      expect(made.status).toBe(201)
    }
    /** Until it is acknowledged, or was before: while the server is away, the answer is 503. */
    const start = (fileName: string, n: number) =>
      until(`run ${n} of ${fileName} is accepted`, async () => {
        const answer = await call('startDag', {
          params: { fileName },
          body: { dagRunId: `run-${n}`, params: `N=${n}` },
        })
        return [200, 409].includes(answer.status)
      })
    await start('through', 0)
    await until('its step runs', () => lines().includes('hold'))
    let count = 0
    for (const graceMs of [10_000, 0]) {
      let isOver = false
      const away = restart(graceMs).finally(() => (isOver = true))
      while (!isOver || count % 10 > 0) await start('quick', count++)
      await away
    }
    writeFileSync(marker, '')
    await until('all have ended', async () => {
      const rows = await db.sql`select from millrace.dag_run where finished_at is null`
      return rows.length === 0
    })
    const numbers = Array.from({ length: count }, (_, n) => `quick ${n}`)
    expect(lines()).toEqual([...numbers, 'hold', 'then'].toSorted())
    const ends = 'select distinct status, lost_count from millrace.dag_run'
    expect(await administer(ends)).toBe('success|0')
    expect(await administer('select count(*) from millrace.check_invariants()')).toBe('0')
  },
)
