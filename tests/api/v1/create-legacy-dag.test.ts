import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()
const create = (body: unknown) => api.post('/api/v1/dags', body)

describe('200', () => {
  test('a DAG is created', async () => {
    expect(await create({ action: 'new', value: 'fresh' })).toMatchObject({ body: { DagID: 'fresh' } })
    expect((await api.get('/dags/fresh')).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test.each([{}, { action: 'old', value: 'a' }, { action: 'new', value: 'a b' }])(
    'the body %j',
    async (body) => {
      expect((await create(body)).status).toBe(400)
    },
  )
})

describe('409 already_exists', () => {
  test('a name that is taken', async () => {
    expect(await create({ action: 'new', value: 'fresh' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    })
  })
})

describe('409 read_only', () => {
  test('a name that a file of the folder of DAGs has', async () => {
    await ownDag(api.database.db, 'team/owned.yaml')
    expect(await api.post('/api/v1/dags', { action: 'new', value: 'owned' })).toMatchObject({
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
