import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = `steps:
  - {name: call, run: kid}
---
name: kid
handlerOn:
  exit: {command: echo x}
steps:
  - {name: inner, command: echo 1}
  - {name: deeper, run: grandkid}
---
name: grandkid
steps:
  - {name: low, command: echo 2}
`
await api.createDag('top', spec)
const root = await api.start('top')
await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
await api.startChild('k1', { dagName: 'grandkid', runId: 'g1', step: 'deeper', document: 'grandkid' })
const path = (child: string, word = 'children') => `/dag-runs/top/${root}/${word}/${child}`

describe('200', () => {
  test('a child run names its root and its parent, and has steps and handlers of its own', async () => {
    const { body } = await api.get(path('k1'))
    expect(body).toMatchObject({
      dagRunDetails: {
        name: 'kid',
        dagRunId: 'k1',
        rootDAGRunName: 'top',
        rootDAGRunId: root,
        parentDAGRunName: 'top',
        parentDAGRunId: root,
        nodes: [{ step: { name: 'inner' } }, { step: { name: 'deeper' }, children: [{ dagRunId: 'g1' }] }],
        onExit: { step: { name: 'onExit' } },
        onSuccess: null,
        preconditions: [],
      },
    })
  })

  test('a grandchild run is found by the same root', async () => {
    expect((await api.get(path('g1'))).body).toMatchObject({
      dagRunDetails: { name: 'grandkid', rootDAGRunId: root, parentDAGRunName: 'kid', parentDAGRunId: 'k1' },
    })
  })

  test('the newer spelling of the path gives the same', async () => {
    expect((await api.get(path('k1', 'sub-dag-runs'))).body).toEqual((await api.get(path('k1'))).body)
    expect((await api.get(`/dag-runs/top/latest/children/k1`)).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await api.get(path('a%20b'))).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown child, a child of another root, the root itself', async () => {
    const other = await api.start('top')
    const missing = (await api.get(path('zzz'))).body
    expect(missing).toMatchObject({ code: 'not_found' })
    for (const url of [
      path('zzz'),
      path(root),
      `/dag-runs/top/${other}/children/k1`,
      `/dag-runs/nothing/${root}/children/k1`,
    ]) {
      expect((await api.get(url)).status, url).toBe(404)
    }
    expect((await api.get(`/dag-runs/top/${other}/children/zzz`)).body).toEqual(missing)
  })
})
