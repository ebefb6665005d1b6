import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'top',
  'steps:\n  - {name: call, run: kid}\n---\nname: kid\nsteps:\n  - {name: inner, command: echo 1}\n',
)
const root = await api.start('top')
await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
await api.writeLog('k1', 'inner', 'stdout', '1\n2\n3\n')
await api.writeLog('k1', 'inner', 'stderr', 'trouble\n')
const log = (step: string, query = '', word = 'children') =>
  api.get(`/dag-runs/top/${root}/${word}/k1/steps/${step}/log${query}`)

describe('200', () => {
  test('lines of both streams', async () => {
    expect((await log('inner', '?offset=2&limit=1')).body).toMatchObject({
      content: '2',
      hasMore: true,
      totalLines: 3,
    })
    expect((await log('inner', '?stream=stderr', 'sub-dag-runs')).body).toMatchObject({ content: 'trouble' })
  })
})

describe('400 bad_request', () => {
  test('a stream that does not exist', async () => {
    expect((await log('inner', '?stream=both')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a step of the parent', async () => {
    expect(await log('call')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
