import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('work')
await api.heartbeat({})
const post = (verb: string, id = 'test-runner') => api.post(`/workers/${id}/${verb}`)

describe('200', () => {
  test('a drained runner keeps its run and claims no other', async () => {
    const held = await api.start('work')
    await api.claim()
    expect(await post('drain')).toMatchObject({
      status: 200,
      body: { worker: { id: 'test-runner', draining: true, drainedBy: '', used: 1 } },
    })
    const waiting = await api.start('work')
    await api.claim()
    expect((await api.get('/workers')).body).toMatchObject({
      workers: [{ draining: true, running_tasks: [{ dagRunId: held }] }],
    })
    expect((await api.get(`/dag-runs/work/${waiting}/why`)).body).toMatchObject({
      reasons: [
        { rule: 'runners_draining', text: 'the 1 runner that may claim it drains and claims nothing' },
      ],
    })
    await api.finish(held, 'success')
  })

  test('draining it again changes nothing', async () => {
    expect(await post('drain')).toMatchObject({ status: 200, body: { worker: { draining: true } } })
  })
})

describe('404 not_found', () => {
  test('an unknown runner', async () => {
    expect(await post('drain', 'ghost')).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'runner "ghost" not found' },
    })
  })
})

describe('400 bad_request', () => {
  test('an id that is too long', async () => {
    expect((await post('drain', 'x'.repeat(321))).status).toBe(400)
  })
})
