import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'gate',
  `params: WORD=default
steps:
  - {name: a, command: echo a}
  - {name: b, command: exit 1}
  - {name: c, command: echo c}
`,
)
const retry = (runId: string, body?: object) => api.post(`/dag-runs/gate/${runId}/retry`, body)
type Run = { status: number; params: string; finishedAt: string; nodes: { status: number }[] }
const details = async (runId: string) =>
  (await api.get<{ dagRun: Run }>(`/dag-runs/gate/${runId}`)).body.dagRun
const states = async (runId: string) => (await details(runId)).nodes.map((node) => node.status)
const failed = async () => {
  const runId = await api.start('gate', { params: 'WORD=special' })
  await api.finish(runId, 'failed', { a: 'success', b: 'failed', c: 'cancelled' })
  return runId
}

describe('200 with an Idempotency-Key', () => {
  test('a retry that is sent twice makes one attempt, even when that has ended meanwhile', async () => {
    await api.createDag('keyed')
    const id = await api.start('keyed')
    await api.finish(id, 'failed', { work: 'failed' })
    const retry = (key: string) =>
      api.call('POST', `/dag-runs/keyed/${id}/retry`, { body: {}, headers: { 'idempotency-key': key } })
    const answers = await Promise.all(Array.from({ length: 8 }, () => retry('a')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await api.finish(id, 'failed', { work: 'failed' })
    expect((await retry('a')).status).toBe(200)
    const attempt = async () =>
      (await api.database.db.sql`select attempt from millrace.dag_run where run_id = ${id}`)[0]?.[
        'attempt'
      ] as number
    expect(await attempt()).toBe(2)
    expect((await retry('b')).status).toBe(200)
    expect(await attempt()).toBe(3)
  })
})

describe('200', () => {
  test('with its own id, the run keeps successful steps and resets the others', async () => {
    const runId = await failed()
    expect(await retry(runId, { dagRunId: runId })).toMatchObject({ status: 200, body: '' })
    expect(await details(runId)).toMatchObject({ status: 0, finishedAt: '', params: 'WORD=special' })
    expect(await states(runId)).toEqual([4, 0, 0])
    await api.finish(runId, 'success', { b: 'success', c: 'success' })
    expect(await states(runId)).toEqual([4, 4, 4])
    expect((await api.get<{ dagRuns: unknown[] }>('/dag-runs/gate')).body.dagRuns).toHaveLength(1)
  })

  test('without an id, the run itself is retried', async () => {
    const runId = await failed()
    expect((await retry(runId)).status).toBe(200)
    expect((await details(runId)).status).toBe(0)
  })

  test('with another id, a new run is created from the stored text and params', async () => {
    const runId = await failed()
    await api.storeSpec('gate', 'steps:\n  - name: changed\n    command: echo\n')
    expect((await retry(runId, { dagRunId: 'anew' })).status).toBe(200)
    expect(await details('anew')).toMatchObject({ status: 0, params: 'WORD=special', nodes: [{}, {}, {}] })
    expect(await states(runId)).toEqual([4, 2, 3])
  })

  test('a run of a deleted DAG can be retried', async () => {
    const runId = await failed()
    await api.call('DELETE', '/dags/gate')
    expect((await retry(runId, { dagRunId: runId })).status).toBe(200)
    expect((await retry(runId, { dagRunId: 'orphan' })).status).toBe(200)
    await api.createDag(
      'gate',
      `steps:
  - {name: a, command: echo a}
  - {name: b, command: exit 1}
  - {name: c, command: echo c}
`,
    )
  })
})

describe('400 already_running', () => {
  test('an active or queued run', async () => {
    const runId = await api.start('gate')
    await api.claim()
    expect(await retry(runId, { dagRunId: runId })).toMatchObject({
      status: 400,
      body: { code: 'already_running' },
    })
    await api.enqueue('gate')
    const waiting = await api.enqueue('gate')
    expect(await retry(waiting, {})).toMatchObject({ status: 400, body: { code: 'already_running' } })
  })

  test('one of two concurrent retries', async () => {
    const runId = await failed()
    const answers = await Promise.all([retry(runId, {}), retry(runId, {})])
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    const runId = await failed()
    expect((await retry(runId, { dagRunId: 'a b' })).status).toBe(400)
    expect((await retry(runId, { dagRunId: 'latest' })).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown run, an unknown DAG', async () => {
    expect(await retry('zzz', { dagRunId: 'zzz' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect((await api.post('/dag-runs/nothing/zzz/retry', { dagRunId: 'zzz' })).status).toBe(404)
  })
})

describe('409 already_exists', () => {
  test('another id that is taken', async () => {
    const [one, two] = [await failed(), await failed()]
    expect(await retry(one, { dagRunId: two })).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    })
  })
})

describe('stepName', () => {
  test('resets only that step, and its dependents keep their results', async () => {
    const runId = await api.start('gate')
    await api.finish(runId, 'success', { a: 'success', b: 'success', c: 'success' })
    expect((await retry(runId, { dagRunId: runId, stepName: 'b' })).status).toBe(200)
    expect(await states(runId)).toEqual([4, 0, 4])
    await api.finish(runId, 'success', { b: 'success' })
    expect(await states(runId)).toEqual([4, 4, 4])
  })

  test('counts as absent when it is empty', async () => {
    const runId = await failed()
    expect((await retry(runId, { stepName: '' })).status).toBe(200)
    expect(await states(runId)).toEqual([4, 0, 0])
  })

  test('is not found when the run has no such step', async () => {
    expect(await retry(await failed(), { stepName: 'zzz' })).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: expect.stringContaining('zzz') },
    })
  })

  test('is refused with another id, because a new run starts all steps', async () => {
    expect(await retry(await failed(), { dagRunId: 'fresh', stepName: 'b' })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
  })
})
