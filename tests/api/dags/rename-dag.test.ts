import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()
const rename = (from: string, to: unknown) => api.post(`/dags/${from}/rename`, { newFileName: to })

describe('200', () => {
  test('the file is found only under its new name', async () => {
    await api.createDag('before', 'steps:\n  - name: work\n    command: echo 1\n')
    expect(await rename('before', 'after')).toMatchObject({ status: 200, body: '' })
    expect((await api.get('/dags/before')).status).toBe(404)
    expect((await api.get('/dags/after')).body).toMatchObject({
      dag: { name: 'after', steps: [{ name: 'work' }] },
    })
    expect((await api.get('/dags?name=after')).body).toMatchObject({ dags: [{ dag: { name: 'after' } }] })
  })

  test('a name in the spec stays', async () => {
    await api.createDag('file-a', 'name: own-name\nsteps:\n  - echo 1\n')
    await rename('file-a', 'file-b')
    expect((await api.get('/dags/file-b')).body).toMatchObject({ dag: { name: 'own-name' } })
  })

  test('a rename to the same name changes nothing', async () => {
    await api.createDag('same')
    expect((await rename('same', 'same')).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test.each(['not a name', 'a/b', '', '..', undefined, 7])('a rename to %j', async (name) => {
    await api.post('/dags', { name: 'stays' })
    expect(await rename('stays', name)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})

describe('400 already_running', () => {
  test('a rename while a run is active', async () => {
    await api.createDag('active')
    const runId = await api.start('active')
    expect(await rename('active', 'idle')).toMatchObject({ status: 400, body: { code: 'already_running' } })
    await api.finish(runId, 'success')
    expect((await rename('active', 'idle')).status).toBe(200)
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await rename('nothing', 'something')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('409 already_exists', () => {
  test('a rename to a name that is taken', async () => {
    await api.createDag('mine')
    await api.createDag('yours')
    expect(await rename('mine', 'yours')).toMatchObject({ status: 409, body: { code: 'already_exists' } })
    expect((await api.get('/dags/mine')).status).toBe(200)
  })
})

describe('409 read_only', () => {
  test('a DAG that a file of the folder of DAGs owns, or its name', async () => {
    await api.createDag('owned')
    await api.createDag('free')
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
    expect(await api.post('/dags/owned/rename', { newFileName: 'other' })).toMatchObject(refusal)
    expect(await api.post('/dags/free/rename', { newFileName: 'owned' })).toMatchObject(refusal)
  })
})
