import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const remove = (name: string) => api.call('DELETE', `/api/v1/dags/${name}`)

describe('200', () => {
  test('the DAG is gone', async () => {
    await api.createDag('one')
    expect((await remove('one')).status).toBe(200)
    expect((await api.get('/dags/one')).status).toBe(404)
  })
})

describe('400 bad_request', () => {
  test('a name that is none', async () => {
    expect((await remove('a%2Fb')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('there is no such DAG', async () => {
    expect((await remove('none')).status).toBe(404)
  })
})
