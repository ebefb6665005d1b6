import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('line', 'maxActiveRuns: 3\nsteps:\n  - echo 1\n')

describe('200', () => {
  test('the queue of a DAG exists before its first run', async () => {
    expect((await api.get('/queues/line')).body).toEqual({
      queue: {
        name: 'line',
        type: 'dag-based',
        summary: { running: 0, queued: 0, total: 0 },
        used: 0,
        limit: 3,
        waiting: 0,
        startsLastHour: 0,
        paused: false,
      },
    })
  })

  test('used slots and starts within an hour are counted for this queue only', async () => {
    await api.createDag('other')
    await api.enqueue('other')
    await api.enqueue('line')
    await api.claim()
    expect((await api.get('/queues/line')).body).toMatchObject({ queue: { used: 1, startsLastHour: 1 } })
  })
})

describe('404 not_found', () => {
  test('a queue that no setting, DAG or run names', async () => {
    expect(await api.get('/queues/ghost')).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'queue "ghost" not found' },
    })
  })
})

describe('400 bad_request', () => {
  test('a name that is too long', async () => {
    expect((await api.get(`/queues/${'x'.repeat(257)}`)).status).toBe(400)
  })
})
