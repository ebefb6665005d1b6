import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()
const remove = (name: string) => api.call('DELETE', `/api/v1/dags/${name}`)

describe('200', () => {
  test('the DAG is deleted', async () => {
    await api.createDag('one')
    expect((await remove('one')).status).toBe(200)
    expect((await api.get('/dags/one')).status).toBe(404)
  })
})

describe('400 bad_request', () => {
  test('a malformed name', async () => {
    expect((await remove('a%2Fb')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown DAG', async () => {
    expect((await remove('none')).status).toBe(404)
  })
})

describe('409 read_only', () => {
  test('a DAG that a file of the folder of DAGs owns', async () => {
    await api.createDag('owned')
    await ownDag(api.database.db, 'team/owned.yaml')
    expect(await remove('owned')).toMatchObject({
      status: 409,
      body: {
        code: 'read_only',
        message:
          'DAG "owned" is the file team/owned.yaml of the folder of DAGs (MILLRACE_DAGS_DIR): change it there',
        details: { file: 'team/owned.yaml' },
      },
    })
  })
})
