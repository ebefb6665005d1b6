import { describe, expect, test } from 'vitest'
import { checkAccess } from '#lib/api/auth/auth.ts'
import { legacyActions } from '#lib/api/legacy/actions.ts'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()
const spec = 'params: A=1\nsteps:\n  - name: work\n    command: echo working\n'
await api.createDag('one', spec)
const act = (body: unknown, name = 'one') => api.post(`/api/v1/dags/${name}`, body)
const latest = async () =>
  (await api.get<{ dagRun: { dagRunId: string; params: string; status: number } }>('/dag-runs/one/latest'))
    .body.dagRun

describe('200', () => {
  test('start, stop, retry and the marks act on a run', async () => {
    expect(await act({ action: 'start', params: 'A=2' })).toMatchObject({ status: 200, body: {} })
    const { dagRunId: requestId, params } = await latest()
    expect(params).toBe('A=2')
    await api.claim()
    expect((await act({ action: 'stop', requestId })).status).toBe(200)
    expect(await api.stopRequested(requestId)).toBe(true)
    expect((await act({ action: 'stop' })).status).toBe(200)
    await api.finish(requestId, 'failed', { work: 'failed' })
    expect((await act({ action: 'mark-success', requestId, step: 'work' })).status).toBe(200)
    expect((await act({ action: 'mark-failed', requestId, step: 'work' })).status).toBe(200)
    expect((await act({ action: 'retry', requestId })).status).toBe(200)
    await api.finish(requestId, 'success', { work: 'success' })
  })

  test('suspend, save and rename act on a DAG', async () => {
    await api.createDag('two')
    expect((await act({ action: 'suspend', value: 'true' }, 'two')).status).toBe(200)
    expect((await api.get('/dags/two')).body).toMatchObject({ suspended: true })
    expect((await act({ action: 'save', value: spec }, 'two')).status).toBe(200)
    expect((await api.get('/dags/two/spec')).body).toMatchObject({ spec })
    expect((await act({ action: 'rename', value: 'three' }, 'two')).status).toBe(200)
    expect((await api.get('/dags/three')).status).toBe(200)
  })

  test('an operator may do everything but save and rename', () => {
    const operator = { name: 'o', role: 'operator' } as const
    const refused = Object.entries(legacyActions).flatMap(([name, { access }]) => {
      try {
        checkAccess(operator, access)
        return []
      } catch {
        return [name]
      }
    })
    expect(refused).toEqual(['save', 'rename'])
  })
})

describe('400 bad_request', () => {
  test.each([
    {},
    { action: 'explode' },
    { action: 'retry' },
    { action: 'mark-success', requestId: 'x' },
    { action: 'save', value: 'steps: {' },
    { action: 'rename', value: '../x' },
  ])('the body %j', async (body) => {
    expect((await act(body)).status).toBe(400)
  })
})

describe('400 not_running', () => {
  test('a stop of a finished run', async () => {
    const { dagRunId: requestId } = await latest()
    expect(await act({ action: 'stop', requestId })).toMatchObject({ body: { code: 'not_running' } })
  })
})

describe('404 not_found', () => {
  test.each([
    { action: 'retry', requestId: 'nope' },
    { action: 'stop', requestId: 'nope' },
  ])('the body %j', async (body) => {
    expect((await act(body)).status).toBe(404)
    expect((await act(body, 'none')).status).toBe(404)
  })
})

describe('409 already_running', () => {
  test('a second start beside a running run', async () => {
    await act({ action: 'start' })
    await api.claim()
    expect(await act({ action: 'start' })).toMatchObject({ status: 409, body: { code: 'already_running' } })
  })
})

describe('409 already_exists', () => {
  test('a rename to a name that is taken', async () => {
    await api.createDag('four')
    expect(await act({ action: 'rename', value: 'four' }, 'three')).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    })
  })
})

describe('409 read_only', () => {
  test('save and rename of a DAG that a file of the folder of DAGs owns', async () => {
    await api.createDag('owned')
    await ownDag(api.database.db, 'team/owned.yaml')
    const refusal = {
      status: 409,
      body: {
        code: 'read_only',
        message:
          'DAG "owned" is the file team/owned.yaml of the folder of DAGs (MILLRACE_DAGS_DIR): change it there',
        details: { file: 'team/owned.yaml' },
      },
    }
    expect(await act({ action: 'save', value: spec }, 'owned')).toMatchObject(refusal)
    expect(await act({ action: 'rename', value: 'other' }, 'owned')).toMatchObject(refusal)
    expect((await act({ action: 'suspend', value: 'true' }, 'owned')).status).toBe(200)
  })
})
