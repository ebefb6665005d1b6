import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = 'steps:\n  - name: work\n    command: echo working\n'
await api.createDag('one', spec)
await api.createDag('idle')
const id = await api.start('one')
await api.finish(id, 'success', { work: 'success' })
await api.writeLog(id, 'work', 'stdout', 'said\n')
await api.writeLog(id, '', 'run', 'began\n')
const show = async (query: string) =>
  (await api.get<Record<string, unknown>>(`/api/v1/dags/one${query}`)).body

describe('200', () => {
  test('the tab status shows the DAG, its steps and its newest run', async () => {
    expect(await show('')).toMatchObject({
      Title: 'one',
      Tab: 'status',
      DAG: {
        File: 'one.yaml',
        DAG: { Name: 'one', Steps: [{ Name: 'work' }] },
        Status: {
          RequestId: id,
          Status: 4,
          Nodes: [{ Step: { Name: 'work' }, Status: 4, StatusText: expect.any(String) }],
        },
        Suspended: false,
        Error: '',
      },
      Definition: '',
      Errors: [],
    })
    expect((await api.get('/api/v1/dags/idle')).body).toMatchObject({ DAG: { Status: null } })
  })

  test('the other tabs show the spec, the history and both logs', async () => {
    expect(await show('?tab=spec')).toMatchObject({ Definition: spec })
    expect(await show('?tab=history')).toMatchObject({
      LogData: { GridData: [{ Name: 'work', Vals: [4] }], Logs: [{ File: id, Status: { RequestId: id } }] },
    })
    expect(await show(`?tab=log&step=work&file=${id}`)).toMatchObject({
      StepLog: { LogFile: id, Step: 'work', Content: 'said' },
    })
    expect(await show('?tab=scheduler-log')).toMatchObject({ ScLog: { LogFile: id, Content: 'began' } })
    expect((await api.get('/api/v1/dags/idle?tab=log&step=work')).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test.each(['?tab=nothing', '?tab=log', '?tab=log&step=work&file=..%2Fx'])('the query %s', async (query) => {
    expect((await api.get(`/api/v1/dags/one${query}`)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test.each(['none', 'one?file=nope', 'one?tab=log&step=nope'])('the path %s', async (path) => {
    expect((await api.get(`/api/v1/dags/${path}`)).status).toBe(404)
  })
})
