import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = `params: DAY=mon
steps:
  - {name: a, command: echo 1, output: TOTAL_ROWS}
  - name: b
    command: echo 2
    output: {name: OTHER, key: chosenKey}
  - name: c
    command: echo 3
    output: {name: HIDDEN, omit: true}
  - {name: d, command: echo 4, output: NEVER}
`
await api.createDag('caught', spec)

describe('200', () => {
  test('outputs go by the names that clients look for', async () => {
    const runId = await api.start('caught')
    await api.finish(
      runId,
      'success',
      { a: 'success', b: 'success', c: 'success' },
      { a: { TOTAL_ROWS: '12' }, b: { OTHER: 'x' }, c: { HIDDEN: 'secret' } },
    )
    expect((await api.get(`/dag-runs/caught/${runId}/outputs`)).body).toEqual({
      metadata: {
        dagName: 'caught',
        dagRunId: runId,
        attemptId: '1',
        status: 'finished',
        completedAt: expect.stringMatching(/^20/),
        params: '["DAY=mon"]',
      },
      outputs: { totalRows: '12', chosenKey: 'x' },
    })
  })

  test('a run without outputs has none', async () => {
    const runId = await api.start('caught')
    expect((await api.get(`/dag-runs/caught/${runId}/outputs`)).body).toMatchObject({
      metadata: { completedAt: '' },
      outputs: {},
    })
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await api.get('/dag-runs/caught/a%20b/outputs')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown run', async () => {
    expect(await api.get('/dag-runs/caught/zzz/outputs')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
