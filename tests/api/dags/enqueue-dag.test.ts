import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('work')
const enqueue = (body?: object, name = 'work') =>
  api.post<{ dagRunId: string }>(`/dags/${name}/enqueue`, body)
type Run = { status: number; statusLabel: string; queuedAt: string; startedAt: string }
const details = async (runId: string, name = 'work') =>
  (await api.get<{ dagRun: Run }>(`/dag-runs/${name}/${runId}`)).body.dagRun

describe('200', () => {
  test('the first run of a free queue may be claimed, the next one waits, and both are shown as queued', async () => {
    const first = (await enqueue()).body.dagRunId
    const second = (await enqueue({})).body.dagRunId
    expect(await details(first)).toMatchObject({ status: 5, statusLabel: 'queued' })
    expect((await api.get<{ dagRuns: Run[] }>('/dag-runs?status=5')).body.dagRuns).toHaveLength(2)
    expect((await api.get<{ dagRuns: Run[] }>('/dag-runs?status=0')).body.dagRuns).toHaveLength(0)
    await api.claim()
    expect((await details(first)).status).toBe(1)
    expect(await details(second)).toMatchObject({ status: 5, statusLabel: 'queued', startedAt: '' })
    expect((await details(second)).queuedAt).toMatch(/^20/)
    await api.finish(first, 'success')
    await api.claim()
    expect((await details(second)).status).toBe(1)
    await api.finish(second, 'success')
  })

  test('another queue can be named', async () => {
    await enqueue({ queue: 'lane' })
    const waiting = (await enqueue({ queue: 'lane', dagRunId: 'in-lane' })).body.dagRunId
    expect((await api.get('/queues')).body).toMatchObject({
      queues: expect.arrayContaining([
        expect.objectContaining({
          name: 'lane',
          queuedDAGRuns: [expect.objectContaining({ dagRunId: waiting })],
        }),
      ]),
    })
  })
})

describe('undefined queues', () => {
  test('do not bypass the limit of the DAG, and the reason is reported', async () => {
    await api.createDag('narrow')
    const ids = ['a', 'b', 'c']
    for (const id of ids) await enqueue({ queue: `invented-${id}`, dagRunId: id }, 'narrow')
    const reason = async (id: string) =>
      (await api.get<{ reasons: { rule: string; text: string }[] }>(`/dag-runs/narrow/${id}/why`)).body
        .reasons[0]
    expect((await reason('a'))?.rule).not.toBe('queue_full')
    for (const id of ['b', 'c']) {
      expect(await reason(id)).toMatchObject({
        rule: 'queue_full',
        text: expect.stringContaining('the DAG allows 1 active run') as string,
      })
    }
    await api.finish('a', 'success')
    expect((await reason('b'))?.rule).not.toBe('queue_full')
    expect((await reason('c'))?.rule).toBe('queue_full')
  })
})

describe('400 bad_request', () => {
  test.each([{ queue: 'two words' }, { dagRunId: 'a b' }, { params: 5 }])('the body %j', async (body) => {
    expect(await enqueue(body)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await enqueue({}, 'nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('409 already_exists', () => {
  test('an id can be used once', async () => {
    await enqueue({ dagRunId: 'once' })
    expect(await enqueue({ dagRunId: 'once' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    })
  })
})

describe('409 already_running', () => {
  test('singleton while a run is active or queued', async () => {
    await api.createDag('single')
    await enqueue({ singleton: true }, 'single')
    expect(await enqueue({ singleton: true }, 'single')).toMatchObject({
      status: 409,
      body: { code: 'already_running' },
    })
  })
})
