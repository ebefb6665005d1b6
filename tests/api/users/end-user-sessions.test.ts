import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { createUser } from '#lib/users/create-user.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const token = 'a-token-of-the-settings'
const guarded = api.with({ auth: { basic: undefined, token } })
const asAdmin = { authorization: `Bearer ${token}` }
for (const username of ['bob', 'eve']) {
  await createUser(db, { username, password: 'correct horse', role: 'viewer' })
}
const signIn = async (body: object): Promise<string> => {
  const { headers } = await guarded.call('POST', '/session', { body, headers: { 'x-millrace': '1' } })
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}
const statusOf = async (cookie: string) =>
  (await guarded.call('GET', '/dags', { headers: { cookie } })).status
const end = (username: string, headers = asAdmin) =>
  guarded.call('DELETE', `/users/${username}/sessions`, { headers })

describe('200', () => {
  test('every session of the user ends at once, also those from a key, and no other', async () => {
    const { key } = await createApiKey(db, {
      name: 'k',
      role: 'viewer',
      createdBy: 'bob',
      owner: 'bob',
      expiresInDays: undefined,
    })
    const password = 'correct horse'
    const cookies = [
      await signIn({ username: 'bob', password }),
      await signIn({ username: 'bob', password }),
      await signIn({ token: key }),
    ]
    const other = await signIn({ username: 'eve', password })
    expect(await Promise.all([...cookies, other].map(statusOf))).toEqual([200, 200, 200, 200])
    expect(await end('bob')).toMatchObject({ status: 200, body: { ended: 3 } })
    expect(await Promise.all([...cookies, other].map(statusOf))).toEqual([401, 401, 401, 200])
    expect(await statusOf(await signIn({ username: 'bob', password }))).toBe(200)
    const { body } = await guarded.call<{ entries: unknown[] }>(
      'GET',
      '/audit?action=endUserSessions&actor=token',
      { headers: asAdmin },
    )
    expect(body.entries).toMatchObject([{ changes: [{ field: 'sessions', before: '3', after: '0' }] }])
  })
})

describe('400 bad_request', () => {
  test('a malformed name', async () => {
    expect(await end('a%20b')).toMatchObject({ status: 400 })
  })
})

describe('404 not_found', () => {
  test('an unknown user', async () => {
    expect(await end('nobody')).toMatchObject({ status: 404 })
  })
})
