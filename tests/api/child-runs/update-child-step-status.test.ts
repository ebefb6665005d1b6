import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'top',
  'steps:\n  - {name: call, run: kid}\n---\nname: kid\nsteps:\n  - {name: inner, command: echo 1}\n',
)
const root = await api.start('top')
await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
const patch = (step: string, body: object, child = 'k1', word = 'children') =>
  api.call('PATCH', `/dag-runs/top/${root}/${word}/${child}/steps/${step}/status`, { body })

describe('400 bad_request', () => {
  test('a change while the child is active, and an unknown status', async () => {
    expect((await patch('inner', { status: 2 })).status).toBe(400)
    await api.finish('k1', 'success', { inner: 'success' })
    expect(await patch('inner', { status: 6 })).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})

describe('200', () => {
  test('the step of the child changes', async () => {
    expect(await patch('inner', { status: 2 })).toMatchObject({ status: 200, body: '' })
    expect((await api.get(`/dag-runs/top/${root}/children/k1`)).body).toMatchObject({
      dagRunDetails: { status: 4, nodes: [{ status: 2 }] },
    })
    expect((await patch('inner', { status: 4 }, 'k1', 'sub-dag-runs')).status).toBe(200)
  })
})

describe('404 not_found', () => {
  test('an unknown child, an unknown step', async () => {
    expect(await patch('inner', { status: 2 }, 'zzz')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect((await patch('call', { status: 2 })).status).toBe(404)
  })
})
