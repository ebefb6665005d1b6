import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const { get, post, call } = await testApi()

describe('204', () => {
  test('the key stays in the list as revoked, however often it is revoked', async () => {
    const { apiKey } = (await post<{ apiKey: { id: string } }>('/api-keys', { name: 'ci', role: 'viewer' }))
      .body
    const list = async () => (await get<{ apiKeys: { revokedAt: string }[] }>('/api-keys')).body.apiKeys
    expect((await call('DELETE', `/api-keys/${apiKey.id}`)).status).toBe(204)
    const revoked = await list()
    expect(revoked).toMatchObject([{ id: apiKey.id, revokedAt: expect.stringMatching(/^20/) }])
    expect((await call('DELETE', `/api-keys/${apiKey.id.toUpperCase()}`)).status).toBe(204)
    expect(await list()).toEqual(revoked)
  })
})

describe('400 bad_request', () => {
  test('a malformed id', async () => {
    expect(await call('DELETE', '/api-keys/17')).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})

describe('404 not_found', () => {
  test.each(['00000000-0000-0000-0000-000000000000', '-'.repeat(36)])('the id %s', async (id) => {
    expect(await call('DELETE', `/api-keys/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
