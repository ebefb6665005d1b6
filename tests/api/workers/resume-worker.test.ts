import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('work')
await api.heartbeat({})
const post = (verb: string, id = 'test-runner') => api.post(`/workers/${id}/${verb}`)

describe('200', () => {
  test('a resumed runner claims again', async () => {
    await post('drain')
    const run = await api.start('work')
    expect(await post('resume')).toMatchObject({ status: 200, body: { worker: { draining: false } } })
    await api.claim()
    const { body } = await api.get('/workers')
    expect(body).toMatchObject({ workers: [{ running_tasks: [{ dagRunId: run }] }] })
    expect(body).not.toHaveProperty('workers.0.drainedBy')
  })
})

describe('404 not_found', () => {
  test('an unknown runner', async () => {
    expect(await post('resume', 'ghost')).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'runner "ghost" not found' },
    })
  })
})

describe('400 bad_request', () => {
  test('an id that is too long', async () => {
    expect((await post('resume', 'x'.repeat(321))).status).toBe(400)
  })
})
