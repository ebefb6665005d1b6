import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'top',
  'steps:\n  - {name: call, run: kid}\n---\nname: kid\nsteps:\n  - {name: inner, command: echo 1}\n',
)

describe('200', () => {
  test('the children of a run come oldest first', async () => {
    const root = await api.start('top')
    expect((await api.get(`/dag-runs/top/${root}/sub-dag-runs`)).body).toEqual({ subRuns: [] })
    await api.startChild(root, {
      dagName: 'kid',
      runId: 'k1',
      step: 'call',
      document: 'kid',
      params: 'A="1 2"',
    })
    await api.startChild(root, { dagName: 'kid', runId: 'k2', step: 'call', document: 'kid' })
    const { body } = await api.get(`/dag-runs/top/${root}/children`)
    expect(body).toEqual({
      subRuns: [
        {
          dagRunId: 'k1',
          name: 'kid',
          params: 'A=1 2',
          status: 0,
          statusLabel: 'not started',
          startedAt: '',
          finishedAt: '',
        },
        expect.objectContaining({ dagRunId: 'k2' }),
      ],
    })
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await api.get('/dag-runs/top/a%20b/children')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown run', async () => {
    expect(await api.get('/dag-runs/top/zzz/children')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
