import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const { post, get, call } = await testApi()

describe('204', () => {
  test('the user is deleted', async () => {
    await post('/users', { username: 'bob', password: 'correct horse', role: 'viewer' })
    expect((await call('DELETE', '/users/bob')).status).toBe(204)
    expect((await get('/users')).body).toEqual({ users: [] })
  })
})

describe('400 bad_request', () => {
  test('a malformed name', async () => {
    expect(await call('DELETE', '/users/a%00b')).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})

describe('404 not_found', () => {
  test('an unknown user', async () => {
    expect(await call('DELETE', '/users/nobody')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
