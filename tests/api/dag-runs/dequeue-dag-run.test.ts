import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('line')
const running = await api.enqueue('line')
const dequeue = (runId: string) => api.get(`/dag-runs/line/${runId}/dequeue`)

describe('200', () => {
  test('a queued run leaves the queue and stays in the history as cancelled', async () => {
    const waiting = await api.enqueue('line')
    expect(await dequeue(waiting)).toMatchObject({ status: 200, body: '' })
    expect((await api.get(`/dag-runs/line/${waiting}`)).body).toMatchObject({
      dagRun: { status: 3, statusLabel: 'cancelled', startedAt: '' },
    })
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await dequeue('a%20b')).status).toBe(400)
  })

  test('HEAD does not dequeue', async () => {
    const waiting = await api.enqueue('line')
    expect((await api.call('HEAD', `/dag-runs/line/${waiting}/dequeue`)).status).toBe(405)
    expect((await api.get(`/dag-runs/line/${waiting}`)).body).toMatchObject({ dagRun: { status: 5 } })
  })
})

describe('404 not_found', () => {
  test('a run that is not queued, not any more, or not at all', async () => {
    const waiting = await api.enqueue('line')
    await dequeue(waiting)
    for (const runId of [running, waiting, 'zzz']) {
      expect(await dequeue(runId)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await api.get('/dag-runs/nothing/zzz/dequeue')).status).toBe(404)
  })
})
