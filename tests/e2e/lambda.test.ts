import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { buildBundles } from '#tests/support/built.ts'
import { callHttp, readBuffered, readStreamed, type HttpAnswer } from '#tests/support/lambda/http-event.ts'
import { lambdaFunction } from '#tests/support/lambda/platform.ts'
import { until } from '#tests/support/until.ts'

const api = await testApi()
const { dist, empty } = buildBundles('lambda-api', 'lambda-tick', 'lambda-runner')
const token = 'a-token-of-the-tests'
const settings = {
  DATABASE_URL: api.database.url,
  MILLRACE_AUTH_TOKEN: token,
  MILLRACE_DATA_DIR: join(empty, 'data'),
  MILLRACE_LOG_LEVEL: 'warn',
}
const handlerPath = (part: string, handler = 'handler'): string => join(dist, part, `index.${handler}`)
const authorized = { authorization: `Bearer ${token}` }

test('every request may be answered by a fresh instance', async () => {
  const target = await lambdaFunction(handlerPath('lambda-api'), settings, empty)
  const instances = new Set<number>()
  const call = async (method: string, path: string, body?: unknown): Promise<HttpAnswer> => {
    const answer = await callHttp(target, method, `/api/v2${path}`, { body, headers: authorized })
    const read = await readBuffered(answer)
    instances.add(target.instance().pid)
    await target.endInstance()
    return read
  }
  const spec = 'steps:\n  - name: work\n    command: echo working\n'
  expect((await call('POST', '/dags', { name: 'plain', spec })).status).toBe(201)
  const { etag = '' } = (await call('GET', '/dags/plain/spec')).headers
  expect(etag).not.toBe('')
  const started = await call('POST', '/dags/plain/start', { params: 'A=1' })
  const { dagRunId } = JSON.parse(started.body) as { dagRunId: string }
  const runs = await call('GET', `/dag-runs/plain?limit=1`)
  expect((JSON.parse(runs.body) as { dagRuns: unknown[] }).dagRuns).toEqual([
    expect.objectContaining({ dagRunId }),
  ])
  await api.finish(dagRunId, 'failed', { work: 'failed' })
  expect((await call('POST', `/dag-runs/plain/${dagRunId}/retry`, { dagRunId })).status).toBe(200)
  expect((await call('POST', `/dag-runs/plain/${dagRunId}/stop`)).status).toBe(200)
  expect((await call('DELETE', '/dags/plain')).status).toBe(204)
  expect((await call('GET', '/dags/plain')).status).toBe(404)
  const unknown = await callHttp(target, 'GET', '/api/v2/dags', {
    headers: { authorization: 'Bearer wrong' },
  })
  expect((await readBuffered(unknown)).status).toBe(401)
  expect(instances.size).toBe(8)
  const audited = await api.database.db.sql<{ count: number }[]>`
    select count(*)::int from millrace.audit_entry where target like '%plain%'`
  expect(audited[0]?.count).toBeGreaterThan(0)
})

test('an idle instance closes its database connections, and opens new ones for the next call', async () => {
  const target = await lambdaFunction(handlerPath('lambda-api'), settings, empty)
  const list = async (): Promise<number> =>
    (await readBuffered(await callHttp(target, 'GET', '/api/v2/dags', { headers: authorized }))).status
  expect(await list()).toBe(200)
  const { pid } = target.instance()
  const connections = async (): Promise<number> => {
    const rows = await api.database.db.sql`
      select 1 from pg_stat_activity where datname = current_database() and application_name = 'millrace-api'`
    return rows.length
  }
  expect(await connections()).toBeGreaterThan(0)
  await until('its connections are closed', async () => (await connections()) === 0)
  expect(await list()).toBe(200)
  expect(target.instance().pid).toBe(pid)
})

test('an event stream is delivered live, and ends before the function times out', async () => {
  const target = await lambdaFunction(handlerPath('lambda-api', 'streaming'), settings, empty)
  await api.createDag('slow')
  const run = await api.start('slow')
  const path = `/api/v2/dag-runs/slow/${run}/events`
  const answer = await callHttp(target, 'GET', path, { headers: authorized, timeoutMs: 4_000 })
  let heard = ''
  let isFinished = false
  for await (const piece of readStreamed(answer)) {
    heard += piece
    if (!isFinished && heard.includes('event: ')) {
      isFinished = true
      await api.claim()
    }
  }
  expect(heard).toContain('"statusCode":200')
  expect(heard).toContain('text/event-stream')
  expect(heard.split('event: ').length).toBeGreaterThan(2)
  await api.finish(run, 'success', { work: 'success' })
})

test('the tick function runs a tick for any caller and applies its settings', async () => {
  const target = await lambdaFunction(
    handlerPath('lambda-tick'),
    { ...settings, MILLRACE_QUEUES: 'lane=3' },
    empty,
  )
  const report: unknown = JSON.parse(await text(await target.call({ source: 'aws.scheduler' })))
  expect(report).toMatchObject({ fired: 0, nextDueMs: expect.any(Number) })
  const queues = await api.database.db.sql`select max_concurrency from millrace.queue where name = 'lane'`
  expect(queues).toEqual([{ max_concurrency: 3 }])
})

test('several calls of the runner function finish a run that is longer than each of them', async () => {
  const folder = join(empty, 'work')
  mkdirSync(folder)
  const steps = Array.from(
    { length: 10 },
    (_, n) => `  - {name: s${n}, command: "sleep 0.3; echo ${n} >> done"}\n`,
  )
  await api.createDag('long', `type: chain\nworkingDir: ${folder}\nsteps:\n${steps.join('')}`)
  const run = await api.start('long')
  const target = await lambdaFunction(
    handlerPath('lambda-runner'),
    { ...settings, MILLRACE_RUNNER_GRACE_S: '1' },
    empty,
  )
  let calls = 0
  let status = 1
  while (status < 2 && calls < 20) {
    calls += 1
    await text(await target.call({}, 4_000))
    status = (await api.get<{ dagRun: { status: number } }>(`/dag-runs/long/${run}`)).body.dagRun.status
  }
  expect(status).toBe(4)
  expect(calls).toBeGreaterThan(2)
  expect(readFileSync(join(folder, 'done'), 'utf8').trim().split('\n')).toEqual(
    steps.map((_, n) => String(n)),
  )
}, 60_000)

test('the API function does not start without a credential', async () => {
  const { MILLRACE_AUTH_TOKEN: _, ...open } = settings
  const target = await lambdaFunction(handlerPath('lambda-api'), open, empty)
  await expect(callHttp(target, 'GET', '/api/v2/health')).rejects.toThrow('anybody may use the API')
})
