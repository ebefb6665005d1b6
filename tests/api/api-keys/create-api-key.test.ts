import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const guarded = api.with({ auth: { basic: undefined, token: 'the-token-of-the-settings' } })
interface Created {
  readonly key: string
  readonly apiKey: { readonly prefix: string; readonly createdBy: string; readonly expiresAt: string }
}

describe('201', () => {
  test('the key allows what its role allows, and is not shown again', async () => {
    const { status, body } = await api.post<Created>('/api-keys', { name: 'ci', role: 'viewer' })
    expect(status).toBe(201)
    expect(body.key).toMatch(/^mr_[\w-]{43}$/)
    expect(body.apiKey).toMatchObject({
      name: 'ci',
      role: 'viewer',
      expiresAt: '',
      lastUsedAt: '',
      revokedAt: '',
    })
    expect(body.key.startsWith(body.apiKey.prefix)).toBe(true)
    const headers = { authorization: `Bearer ${body.key}` }
    expect((await guarded.call('GET', '/dags', { headers })).status).toBe(200)
    expect((await guarded.call('GET', '/api-keys', { headers })).status).toBe(403)
    expect(JSON.stringify((await api.get('/api-keys')).body)).not.toContain(body.key)
  })

  test('the key expires after the given days, and names its creator', async () => {
    const headers = { authorization: 'Bearer the-token-of-the-settings' }
    const body = { name: 'short-lived', role: 'admin', expiresInDays: 1 }
    const { apiKey } = (await guarded.call<Created>('POST', '/api-keys', { headers, body })).body
    expect(apiKey.createdBy).toBe('token')
    expect(Math.round((Date.parse(apiKey.expiresAt) - Date.now()) / 3_600_000)).toBe(24)
  })
})

describe('400 bad_request', () => {
  test.each([
    [{ role: 'viewer' }, 'name: is required'],
    [{ name: 'ci', role: 'viewer', expiresAt: 'soon' }, 'expiresAt: is not a known field'],
    [{ name: '  ', role: 'viewer' }, 'name: must not be empty, got "  "'],
    [{ name: 'a\nb', role: 'viewer' }, 'name: must not hold control characters, got "a\\nb"'],
    [{ name: 'ci', role: 'king' }, 'role: must be one of viewer, operator, editor, admin, got "king"'],
    [{ name: 'ci', role: 'admin', expiresInDays: 0 }, 'expiresInDays: must be at least 1, got 0'],
    [
      { name: 'ci', role: 'admin', expiresInDays: 1e9 },
      'expiresInDays: must be at most 3650, got 1000000000',
    ],
  ])('%j is refused', async (body, message) => {
    expect(await api.post('/api-keys', body)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message },
    })
  })
})
