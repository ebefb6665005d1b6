import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'top',
  'steps:\n  - {name: call, run: kid}\n---\nname: kid\nsteps:\n  - {name: inner, command: echo 1}\n',
)
const root = await api.start('top')
await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
await api.writeLog('k1', '', 'run', 'one\ntwo\n')
const log = (child: string, query = '', word = 'children') =>
  api.get(`/dag-runs/top/${root}/${word}/${child}/log${query}`)

describe('200', () => {
  test('lines of the log of the child', async () => {
    expect((await log('k1')).body).toMatchObject({ content: 'one\ntwo', lineCount: 2 })
    expect((await log('k1', '?tail=1', 'sub-dag-runs')).body).toMatchObject({ content: 'two', hasMore: true })
  })
})

describe('400 bad_request', () => {
  test('a window that is not a number', async () => {
    expect((await log('k1', '?head=x')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown child', async () => {
    expect(await log('zzz')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
