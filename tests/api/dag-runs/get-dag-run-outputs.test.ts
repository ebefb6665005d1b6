import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
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
  test('outputs have camel-case names, or the key that the step chose', async () => {
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

// Random, so that compression does not make it small.
const large = `é"\u0001${randomBytes(300_000).toString('base64')}`

describe('200, large outputs', () => {
  test('are streamed with the same names', async () => {
    const runId = await api.start('caught')
    await api.finish(
      runId,
      'success',
      { a: 'success', b: 'success', c: 'success' },
      { a: { TOTAL_ROWS: large }, b: { OTHER: large }, c: { HIDDEN: 'secret' } },
    )
    const answer = await api.open(`/dag-runs/caught/${runId}/outputs`)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual({
      metadata: expect.objectContaining({ dagRunId: runId, params: '["DAY=mon"]' }) as object,
      outputs: { totalRows: large, chosenKey: large },
    })
  })
})

describe('503 service_unavailable', () => {
  test('too many concurrent answers with large outputs', async () => {
    const runId = await api.start('caught')
    await api.finish(runId, 'success', { a: 'success' }, { a: { TOTAL_ROWS: large } })
    const one = api.with({ isOneInstance: true })
    const path = `/dag-runs/caught/${runId}/outputs`
    const open = await Promise.all(Array.from({ length: limits.largeOutputsSentMax }, () => one.open(path)))
    expect(open.every(({ status }) => status === 200)).toBe(true)
    expect((await one.open(path)).status).toBe(503)
    await Promise.all(open.map((answer) => answer.text()))
    const last = await one.open(path)
    expect(last.status).toBe(200)
    await last.text()
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
