import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const one = 'env:\n  - API_TOKEN: hidden-value\nsteps:\n  - {name: work, command: echo one}\n'
await api.createDag('told', one)
await api.call('PUT', '/dags/told/spec', { body: { spec: 'steps:\n  - echo two\n' } })

describe('200', () => {
  test('a version with its text, even of a deleted DAG', async () => {
    expect(await api.get('/dags/told/versions/1')).toMatchObject({
      status: 200,
      body: { version: 1, change: 'created', source: 'api', spec: one },
    })
    await api.createDag('gone', one)
    await api.call('DELETE', '/dags/gone')
    expect((await api.get('/dags/gone/versions/2')).body).toMatchObject({ change: 'deleted', spec: one })
  })

  test('secrets are shown to editors only', async () => {
    const { key } = await createApiKey(api.database.db, {
      name: 'eye',
      role: 'viewer',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const guarded = api.with({ auth: { basic: undefined, token: 'of-the-settings' } })
    const { body } = await guarded.call<{ spec: string }>('GET', '/dags/told/versions/1', {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(body.spec).toContain('API_TOKEN')
    expect(body.spec).not.toContain('hidden-value')
  })
})

describe('400 bad_request', () => {
  test('a version that is not a number', async () => {
    expect((await api.get('/dags/told/versions/latest')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown version, an unknown file', async () => {
    expect((await api.get('/dags/told/versions/3')).status).toBe(404)
    expect((await api.get('/dags/nothing/versions/1')).status).toBe(404)
  })
})
