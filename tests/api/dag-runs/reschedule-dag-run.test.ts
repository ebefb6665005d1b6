import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = (command: string) =>
  `params: WORD=default\nmaxActiveRuns: 9\nsteps:\n  - {name: a, command: ${command}}\n`
await api.createDag('daily', spec('echo old'))
const reschedule = <Body = { dagRunId: string; queued: boolean }>(runId: string, body: object = {}) =>
  api.post<Body>(`/dag-runs/daily/${runId}/reschedule`, body)
interface Details {
  readonly dagRun: {
    readonly status: number
    readonly params: string
    readonly nodes: readonly { readonly step: object }[]
  }
}
const details = async (name: string, runId: string) =>
  (await api.get<Details>(`/dag-runs/${name}/${runId}`)).body.dagRun
const ended = async () => {
  const runId = await api.start('daily', { params: 'WORD=special' })
  await api.finish(runId, 'failed', { a: 'failed' })
  return runId
}

describe('200', () => {
  test('a new run has the definition and the params of the old one, which stays unchanged', async () => {
    const old = await ended()
    await api.call('PUT', '/dags/daily/spec', { body: { spec: spec('echo new') } })
    const { status, body } = await reschedule(old)
    expect({ status, body }).toEqual({ status: 200, body: { dagRunId: expect.any(String), queued: false } })
    expect(body.dagRunId).not.toBe(old)
    expect(await details('daily', old)).toMatchObject({ status: 2 })
    await api.finish(body.dagRunId, 'success', { a: 'success' })
    expect(await details('daily', body.dagRunId)).toMatchObject({
      status: 4,
      params: 'WORD=special',
      nodes: [{ step: { command: 'echo', args: ['old'] } }],
    })
  })

  test('the new run takes the given id, and empty texts count as absent', async () => {
    const old = await ended()
    expect(await reschedule(old, { dagRunId: 'chosen', dagName: '', singleton: false })).toMatchObject({
      status: 200,
      body: { dagRunId: 'chosen' },
    })
    expect((await reschedule(old, { dagRunId: '' })).status).toBe(200)
  })

  test('the new run takes another name when the spec gives none', async () => {
    const { status, body } = await reschedule(await ended(), { dagName: 'copy' })
    expect(status).toBe(200)
    expect(await details('copy', body.dagRunId)).toMatchObject({ status: 0 })
  })

  test('two calls with one Idempotency-Key create one run', async () => {
    const old = await ended()
    const send = () =>
      api.call<{ dagRunId: string }>('POST', `/dag-runs/daily/${old}/reschedule`, {
        body: {},
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = await Promise.all([send(), send()])
    expect(first.body.dagRunId).toBe(second.body.dagRunId)
  })
})

describe('400 bad_request', () => {
  test('a new name for a spec that has one', async () => {
    await api.createDag('own', 'name: own\nsteps: [echo]\n')
    const runId = await api.start('own')
    expect(await api.post(`/dag-runs/own/${runId}/reschedule`, { dagName: 'other' })).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: expect.stringContaining('dagName') },
    })
  })

  test('a malformed id', async () => {
    expect((await reschedule(await ended(), { dagRunId: 'a b' })).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown run', async () => {
    expect(await reschedule('nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('409 already_exists', () => {
  test('the id is taken', async () => {
    const old = await ended()
    expect(await reschedule(old, { dagRunId: old })).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    })
  })
})

describe('409 already_running', () => {
  test('singleton, while the DAG is running', async () => {
    const old = await ended()
    await api.start('daily')
    expect(await reschedule(old, { singleton: true })).toMatchObject({
      status: 409,
      body: { code: 'already_running' },
    })
  })
})
