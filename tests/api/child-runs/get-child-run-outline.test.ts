import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'top',
  `steps:
  - {name: call, run: kid}
---
name: kid
steps:
  - {name: deeper, run: grandkid}
---
name: grandkid
steps:
  - {name: low, command: echo 2}
`,
)
const root = await api.start('top')
await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
await api.startChild('k1', { dagName: 'grandkid', runId: 'g1', step: 'deeper', document: 'grandkid' })
const path = (child: string, query = '') => `/dag-runs/top/${root}/children/${child}/outline${query}`

describe('200', () => {
  test('steps in short form, with the child runs that they started', async () => {
    expect((await api.get(path('k1'))).body).toMatchObject({
      name: 'kid',
      rootDAGRunName: 'top',
      nodes: [{ step: { name: 'deeper' }, children: [{ dagRunId: 'g1', name: 'grandkid', status: 0 }] }],
    })
    expect((await api.get(`/dag-runs/top/${root}/outline`)).body).toMatchObject({
      nodes: [{ children: [{ dagRunId: 'k1', name: 'kid' }] }],
    })
  })
})

describe('400 bad_request', () => {
  test('an attempt that never happened', async () => {
    expect((await api.get(path('k1', '?attempt=9'))).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('a child run that does not exist', async () => {
    expect((await api.get(path('none'))).status).toBe(404)
  })
})
