import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'hand',
  `handlerOn:
  exit: {command: echo x}
steps:
  - {name: good, command: echo 1}
  - {name: bad, command: exit 1}
  - {name: rest, command: echo 2}
`,
)
const runId = await api.start('hand')
await api.finish(runId, 'failed', { good: 'success', bad: 'failed', onExit: 'success' })
const patch = (step: string, body: object, run = runId) =>
  api.call('PATCH', `/dag-runs/hand/${run}/steps/${step}/status`, { body })
type Run = { status: number; nodes: { status: number }[] }
const details = async () => (await api.get<{ dagRun: Run }>(`/dag-runs/hand/${runId}`)).body.dagRun

describe('200', () => {
  test('the step changes, started or not, and the run does not', async () => {
    expect(await patch('bad', { status: 4 })).toMatchObject({ status: 200, body: '' })
    expect((await patch('rest', { status: 5 })).status).toBe(200)
    expect((await patch('good', { status: 2 }, 'latest')).status).toBe(200)
    const run = await details()
    expect(run.nodes.map((node) => node.status)).toEqual([2, 4, 5])
    expect(run.status).toBe(2)
  })

  test('every status of a step can be set', async () => {
    for (const status of [0, 1, 2, 3, 4, 5]) {
      expect((await patch('good', { status })).status, String(status)).toBe(200)
      expect((await details()).nodes[0]?.status).toBe(status)
      expect(await api.database.db.sql`select invariant from millrace.check_invariants()`).toEqual([])
    }
    await patch('good', { status: 4 })
  })

  test('a retry continues after a step that was set to success', async () => {
    await patch('bad', { status: 4 })
    await patch('rest', { status: 0 })
    expect((await api.post(`/dag-runs/hand/${runId}/retry`, { dagRunId: runId })).status).toBe(200)
    expect((await details()).nodes.map((node) => node.status)).toEqual([4, 4, 0])
    await api.finish(runId, 'success', { rest: 'success' })
  })
})

describe('400 bad_request', () => {
  test.each([
    { status: 99 },
    { status: -1 },
    { status: 6 },
    { status: 1.5 },
    { status: 'abc' },
    {},
    { status: null },
  ])('the body %j', async (body) => {
    const answer = await patch('bad', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(JSON.stringify(answer.body)).toContain('status')
  })

  test('a change while the run is active', async () => {
    const going = await api.start('hand')
    await api.claim()
    expect(await patch('good', { status: 4 }, going)).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
    await api.finish(going, 'success')
  })
})

describe('404 not_found', () => {
  test('an unknown step, a handler, an unknown run', async () => {
    expect(await patch('nothing', { status: 4 })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await patch('onExit', { status: 4 })).status).toBe(404)
    expect((await patch('good', { status: 4 }, 'zzz')).status).toBe(404)
  })
})
