import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { createUser } from '#lib/users/create-user.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const guarded = api.with({
  auth: { basic: { username: 'root', password: 'the right one' }, token: 'a-token' },
})
await createUser(db, { username: 'ann', password: 'correct horse', role: 'viewer' })
const { key } = await createApiKey(db, {
  name: 'of ann',
  role: 'viewer',
  createdBy: 'ann',
  owner: 'ann',
  expiresInDays: undefined,
})
const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`

describe('200', () => {
  test('a user has no preferences at first', async () => {
    const { status, body } = await guarded.call('GET', '/session/preferences', {
      headers: { authorization: basic('ann:correct horse') },
    })
    expect({ status, body }).toEqual({ status: 200, body: { kept: true, preferences: {} } })
  })

  test.each([
    ['an anonymous caller', {}],
    ['a key, even that of a user', { authorization: `Bearer ${key}` }],
    ['the token of the settings', { authorization: 'Bearer a-token' }],
    ['the user of the settings', { authorization: basic('root:the right one') }],
  ])('no preferences are kept for %s', async (_who, headers) => {
    const { body } = await guarded.call('GET', '/session/preferences', { headers })
    expect(body).toEqual({ kept: false, preferences: {} })
  })

  test('no preferences are kept without authentication', async () => {
    expect((await api.get('/session/preferences')).body).toEqual({ kept: false, preferences: {} })
  })
})
