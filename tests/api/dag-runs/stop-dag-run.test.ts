import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('long')
const stop = (runId: string) => api.post(`/dag-runs/long/${runId}/stop`)
const status = async (runId: string) =>
  (await api.get<{ dagRun: { status: number } }>(`/dag-runs/long/${runId}`)).body.dagRun.status

describe('200', () => {
  test('a running run is asked to stop', async () => {
    const runId = await api.start('long')
    await api.claim()
    expect(await stop(runId)).toMatchObject({ status: 200, body: '' })
    expect(await api.stopRequested(runId)).toBe(true)
    expect((await stop(runId)).status).toBe(200)
    await api.finish(runId, 'cancelled')
  })

  test('a run that no runner has claimed is cancelled at once', async () => {
    const runId = await api.start('long')
    expect((await stop(runId)).status).toBe(200)
    expect(await status(runId)).toBe(3)
  })

  test('latest is the newest run', async () => {
    const runId = await api.start('long')
    expect((await stop('latest')).status).toBe(200)
    expect(await status(runId)).toBe(3)
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await stop('a%20b')).status).toBe(400)
  })
})

describe('400 not_running', () => {
  test('a finished run', async () => {
    const runId = await api.start('long')
    await api.finish(runId, 'success')
    expect(await stop(runId)).toMatchObject({ status: 400, body: { code: 'not_running' } })
    expect(await status(runId)).toBe(4)
  })

  test('a queued run', async () => {
    await api.enqueue('long')
    const waiting = await api.enqueue('long')
    expect(await stop(waiting)).toMatchObject({ status: 400, body: { code: 'not_running' } })
    expect(await status(waiting)).toBe(5)
  })
})

describe('404 not_found', () => {
  test('an unknown run, an unknown DAG', async () => {
    expect(await stop('zzz')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await api.post('/dag-runs/nothing/zzz/stop')).status).toBe(404)
  })
})
