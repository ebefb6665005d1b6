import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('work', 'params: KIND=plain\nsteps:\n  - name: work\n    command: echo $KIND\n')
const start = (body?: object, name = 'work') => api.post<{ dagRunId: string }>(`/dags/${name}/start`, body)
const details = async (runId: string) =>
  (await api.get<{ dagRun: Record<string, unknown> }>(`/dag-runs/work/${runId}`)).body.dagRun

describe('200 with an Idempotency-Key', () => {
  const keyed = (key: string, body: object = {}) =>
    api.call<{ dagRunId: string }>('POST', '/dags/work/start', { body, headers: { 'idempotency-key': key } })

  test('concurrent calls with one key create one run and get the same answer', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => keyed('order-1')))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.dagRunId}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect((await keyed('order-1', { singleton: true })).body).toEqual(answers[0]?.body)
    expect((await keyed('order-2')).body).not.toEqual(answers[0]?.body)
  })

  test('concurrent calls with one key create one run even with singleton', async () => {
    await api.createDag('alone')
    const call = () =>
      api.call<{ dagRunId: string }>('POST', '/dags/alone/start', {
        body: { singleton: true },
        headers: { 'idempotency-key': 'once' },
      })
    const answers = await Promise.all(Array.from({ length: 8 }, call))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.dagRunId}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
  })

  test('the id of another run is refused, whatever the key', async () => {
    await keyed('order-3', { dagRunId: 'taken' })
    expect((await keyed('order-3', { dagRunId: 'taken' })).status).toBe(200)
    expect((await keyed('order-4', { dagRunId: 'taken' })).status).toBe(409)
  })

  test('a key must be visible characters', async () => {
    expect(await keyed('a b')).toMatchObject({
      status: 400,
      body: { message: 'Idempotency-Key: must be 1 to 255 visible ASCII characters' },
    })
  })
})

describe('200 for a file that another instance has changed', () => {
  const other = api.with({})
  const spec = (more: string) => `steps:\n  - name: work\n    command: echo ${more}\n`
  const specOf = async (runId: string) =>
    (await api.get<{ spec: string }>(`/dag-runs/moving/${runId}/spec`)).body.spec

  test('a run has the stored text, whatever this instance started before', async () => {
    await api.createDag('moving', spec('one'))
    await start({ dagRunId: 'm1' }, 'moving')
    await other.call('PUT', '/dags/moving/spec', { body: { spec: spec('two') } })
    await start({ dagRunId: 'm2' }, 'moving')
    await api.post('/dags/moving/enqueue', { dagRunId: 'm3' })
    expect(await specOf('m1')).toContain('one')
    expect(await specOf('m2')).toContain('two')
    expect(await specOf('m3')).toContain('two')
    await other.call('PUT', '/dags/moving/spec', { body: { spec: spec('one') } })
    await start({ dagRunId: 'm4' }, 'moving')
    expect(await specOf('m4')).toContain('one')
  })

  test('params are checked against the stored schema', async () => {
    const strict = (type: string) =>
      `params:\n  schema: {type: object, properties: {N: {type: ${type}}}}\n${spec('$N')}`
    await api.createDag('strict', strict('integer'))
    expect(await start({ params: 'N=1' }, 'strict')).toMatchObject({ status: 200 })
    await other.call('PUT', '/dags/strict/spec', { body: { spec: strict('string') } })
    expect(await start({ params: 'N=word' }, 'strict')).toMatchObject({ status: 200 })
    await other.call('PUT', '/dags/strict/spec', { body: { spec: strict('integer') } })
    expect(await start({ params: 'N=word' }, 'strict')).toMatchObject({ status: 400 })
  })

  test('a deleted file is not found', async () => {
    await api.createDag('leaving')
    await start({}, 'leaving')
    await other.call('DELETE', '/dags/leaving')
    expect(await start({}, 'leaving')).toMatchObject({ status: 404 })
  })
})

describe('200', () => {
  test('a run is created with an id that sorts by time, with or without a body', async () => {
    const first = await start({})
    const second = await api.call<{ dagRunId: string }>('POST', '/dags/work/start')
    expect(first).toMatchObject({ status: 200 })
    expect(first.body.dagRunId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(first.body.dagRunId < second.body.dagRunId).toBe(true)
    expect(await details(first.body.dagRunId)).toMatchObject({
      status: 0,
      startedAt: '',
      finishedAt: '',
      params: 'KIND=plain',
    })
  })

  test('an id of the caller is used, and an empty one counts as absent', async () => {
    expect((await start({ dagRunId: 'my_run-1' })).body).toEqual({ dagRunId: 'my_run-1' })
    expect((await start({ dagRunId: '' })).body.dagRunId).not.toBe('')
  })

  test.each([
    ['KIND=sweet', 'KIND=sweet'],
    ['{"KIND":"very sweet","MORE":2}', 'KIND=very sweet MORE=2'],
    ['["first"]', 'KIND=plain 1=first'],
    ['', 'KIND=plain'],
  ])('params such as %s are stored', async (params, shown) => {
    const { body } = await start({ params })
    expect((await details(body.dagRunId))['params']).toBe(shown)
  })

  test('several runs may be active at once', async () => {
    await start()
    expect((await start()).status).toBe(200)
  })

  test('unknown fields are ignored', async () => {
    expect((await start({ colour: 'red', dagName: 'other' })).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test.each(['with blank', 'a/b', '..', 'latest', 'x'.repeat(65), 5])('the id %j', async (dagRunId) => {
    expect(await start({ dagRunId })).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })

  test('a body that is not JSON', async () => {
    const answer = await api.call('POST', '/dags/work/start', { raw: '{"params": ' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })

  test('a file with faults, which are reported', async () => {
    await api.createDag('broken')
    await api.storeSpec('broken', 'steps: [')
    const answer = await start({}, 'broken')
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'bad_request', details: { faults: [expect.any(String)] } },
    })
  })

  test.each(['{"A":"x\\u0000"}', '["\\ud800"]', 'A=\u0000', '{"\\u0000":"x"}'])(
    'params that cannot be stored: %j',
    async (params) => {
      expect(await start({ params })).toMatchObject({
        status: 400,
        body: { code: 'bad_request', message: expect.stringContaining('params: ') },
      })
    },
  )

  test('params that do not fit their schema', async () => {
    const spec = `params:
  schema: {type: object, properties: {COUNT: {type: integer}}}
  values: {COUNT: 1}
steps:
  - echo $COUNT
`
    await api.createDag('typed', spec)
    expect((await start({ params: 'COUNT=2' }, 'typed')).status).toBe(200)
    const answer = await start({ params: 'COUNT=many' }, 'typed')
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('COUNT') } })
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await start({}, 'nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('409 already_exists', () => {
  test('an id can be used once per DAG', async () => {
    await start({ dagRunId: 'once' })
    expect(await start({ dagRunId: 'once' })).toMatchObject({ status: 409, body: { code: 'already_exists' } })
    await api.createDag('elsewhere')
    expect((await start({ dagRunId: 'once' }, 'elsewhere')).status).toBe(200)
  })
})

describe('409 already_running', () => {
  test('singleton while a run is active', async () => {
    await api.createDag('single')
    const first = await start({ singleton: true }, 'single')
    expect(first.status).toBe(200)
    expect(await start({ singleton: true }, 'single')).toMatchObject({
      status: 409,
      body: { code: 'already_running' },
    })
    expect((await start({ singleton: false }, 'single')).status).toBe(200)
  })
})
