import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()

describe('204', () => {
  test('the file is deleted, its runs stay', async () => {
    await api.createDag('gone')
    const runId = await api.start('gone')
    expect(await api.call('DELETE', '/dags/gone')).toMatchObject({ status: 204, body: '' })
    expect((await api.get('/dags/gone')).status).toBe(404)
    expect(await api.get(`/dag-runs/gone/${runId}`)).toMatchObject({
      status: 200,
      body: { dagRun: { nodes: [{}] } },
    })
  })

  test('a file with faults can be deleted', async () => {
    await api.createDag('broken')
    await api.storeSpec('broken', 'steps: [')
    expect((await api.call('DELETE', '/dags/broken')).status).toBe(204)
  })

  test('the name of a deleted file is free again', async () => {
    await api.createDag('gone')
    expect((await api.get('/dags/gone')).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test('a name that no file can have', async () => {
    expect((await api.call('DELETE', '/dags/a%20b')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown file', async () => {
    expect(await api.call('DELETE', '/dags/nothing')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})

describe('409 read_only', () => {
  test('a DAG that a file of the folder of DAGs owns', async () => {
    await api.createDag('owned')
    await ownDag(api.database.db, 'team/owned.yaml')
    expect(await api.call('DELETE', '/dags/owned')).toMatchObject({
      status: 409,
      body: {
        code: 'read_only',
        message:
          'DAG "owned" is the file team/owned.yaml of the folder of DAGs (MILLRACE_DAGS_DIR): change it there',
        details: { file: 'team/owned.yaml' },
      },
    })
    expect((await api.get('/dags/owned')).status).toBe(200)
  })
})
