import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = 'steps:\n  - {name: a, command: echo $X}\n'
const call = (body: object) => api.post<{ dagRunId: string }>('/dag-runs', body)

describe('200', () => {
  test('a run is created and no file is stored', async () => {
    const answer = await call({ spec, name: 'inline', params: 'X=1', dagRunId: 'I1' })
    expect(answer).toMatchObject({ status: 200, body: { dagRunId: 'I1' } })
    expect((await api.get('/dag-runs/inline/I1')).body).toMatchObject({
      dagRun: { name: 'inline', params: 'X=1', nodes: [{ step: { name: 'a' } }] },
    })
    expect((await api.get('/dags/inline')).status).toBe(404)
  })

  test('the name may be in the spec', async () => {
    const { body } = await call({ spec: `name: own\n${spec}` })
    expect((await api.get(`/dag-runs/own/${body.dagRunId}`)).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test.each([{ spec }, { name: 'x' }, { name: 'a b', spec }, { name: 'x', spec: 'steps: [' }])(
    'the body %j',
    async (body) => {
      expect(await call(body)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    },
  )
})

describe('409 already_exists', () => {
  test('an id can be used once', async () => {
    await call({ spec, name: 'once', dagRunId: 'same' })
    expect(await call({ spec, name: 'once', dagRunId: 'same' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    })
  })
})

describe('409 already_running', () => {
  test('singleton refuses while a run is active', async () => {
    await call({ spec, name: 'single', singleton: true })
    expect(await call({ spec, name: 'single', singleton: true })).toMatchObject({
      status: 409,
      body: { code: 'already_running' },
    })
  })
})
