import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'top',
  'steps:\n  - {name: call, run: kid}\n---\nname: kid\nsteps:\n  - {name: low, command: echo 2}\n',
)
const root = await api.start('top')
await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
const get = (child: string, step: string, query = '') =>
  api.get(`/dag-runs/top/${root}/children/${child}/steps/${step}${query}`)

describe('200', () => {
  test('a step in the form that its run shows', async () => {
    const { body } = await api.get<{ dagRun: { nodes: unknown[] } }>(`/dag-runs/top/${root}/children/k1`)
    expect((await get('k1', 'low')).body).toEqual(body.dagRun.nodes[0])
  })
})

describe('400 bad_request', () => {
  test('an attempt that never happened', async () => {
    expect((await get('k1', 'low', '?attempt=9')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a step or a child run that does not exist', async () => {
    expect((await get('k1', 'none')).status).toBe(404)
    expect((await get('none', 'low')).status).toBe(404)
  })
})
