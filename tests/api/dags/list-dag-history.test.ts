import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = `handlerOn:
  failure: {command: echo f}
  exit: {command: echo x}
steps:
  - {name: two, command: echo 2}
  - {name: one, command: echo 1}
`
type Body = { dagRuns: { dagRunId: string }[]; gridData: { name: string; history: number[] }[] }

describe('200', () => {
  test('runs are listed newest first, and the grid has a column for each', async () => {
    await api.createDag('hist', spec)
    const good = await api.start('hist')
    await api.finish(good, 'success', { two: 'success', one: 'success', onExit: 'success' })
    const bad = await api.start('hist')
    await api.finish(bad, 'failed', {
      two: 'failed',
      one: 'cancelled',
      onFailure: 'success',
      onExit: 'failed',
    })
    const fresh = await api.start('hist')
    const { body } = await api.get<Body>('/dags/hist/dag-runs')
    expect(body.dagRuns.map((run) => run.dagRunId)).toEqual([fresh, bad, good])
    const ofStatus = async (word: string) =>
      (await api.get<Body>(`/dags/hist/dag-runs?status=${word}`)).body.dagRuns.map((run) => run.dagRunId)
    expect(await ofStatus('4')).toEqual([good])
    expect(await ofStatus('succeeded')).toEqual([good])
    expect(await ofStatus('failed')).toEqual([bad])
    expect(body.gridData).toEqual([
      { name: 'one', history: [0, 3, 4] },
      { name: 'two', history: [0, 2, 4] },
      { name: 'onFailure', history: [0, 4, 0] },
      { name: 'onExit', history: [0, 2, 4] },
    ])
  })

  test('runs are listed in pages with a limit, and without nodes on request', async () => {
    const whole = (await api.get<Body>('/dags/hist/dag-runs')).body
    expect(whole).not.toHaveProperty('nextCursor')
    const pages: string[][] = []
    for (let cursor = ''; ;) {
      const { body } = await api.get<Body & { nextCursor?: string }>(
        `/dags/hist/dag-runs?limit=2&nodes=none${cursor}`,
      )
      pages.push(body.dagRuns.map((run) => run.dagRunId))
      expect(body.dagRuns).toMatchObject(body.dagRuns.map(() => ({ nodes: [] })))
      expect(body.gridData[0]?.history).toHaveLength(body.dagRuns.length)
      if (body.nextCursor === undefined) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 1])
    expect(pages.flat()).toEqual(whole.dagRuns.map((run) => run.dagRunId))
  })

  test('a DAG that never ran has an empty history', async () => {
    await api.createDag('never')
    expect((await api.get('/dags/never/dag-runs')).body).toEqual({ dagRuns: [], gridData: [] })
  })
})

describe('400 bad_request', () => {
  test.each(['?limit=0', '?limit=101', '?cursor=x', '?nodes=some'])('the query %s', async (query) => {
    expect((await api.get(`/dags/hist/dag-runs${query}`)).status).toBe(400)
  })

  test('a name that no file can have', async () => {
    expect((await api.get('/dags/no.pe/dag-runs')).status).toBe(400)
  })
})

describe('400 bad_request, in the query', () => {
  test('a word that is not a status', async () => {
    expect(await api.get('/dags/hist/dag-runs?status=fine')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('got "fine"') as string },
    })
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await api.get('/dags/nothing/dag-runs')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
