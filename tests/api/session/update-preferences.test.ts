import { describe, expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { createUser } from '#lib/users/create-user.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const guarded = api.with({ auth: { basic: undefined, token: 'a-token' } })
for (const username of ['ann', 'bob']) {
  await createUser(api.database.db, { username, password: 'correct horse', role: 'viewer' })
}
const headersOf = (user: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:correct horse`).toString('base64')}`,
})
const put = (user: string, body: object) =>
  guarded.call('PUT', '/session/preferences', { body, headers: headersOf(user) })
const get = async (user: string) =>
  (await guarded.call<{ preferences: object }>('GET', '/session/preferences', { headers: headersOf(user) }))
    .body.preferences

describe('204', () => {
  test('each user has preferences of their own, and new ones replace the old', async () => {
    const mine = { views: [{ name: 'mine', query: 'a\u0000b "quoted" \\u0000 ü' }], theme: 'dark' }
    expect((await put('ann', mine)).status).toBe(204)
    expect(await get('ann')).toEqual(mine)
    expect(await get('bob')).toEqual({})
    expect((await put('ann', { theme: 'light' })).status).toBe(204)
    expect(await get('ann')).toEqual({ theme: 'light' })
  })

  test('a session from a password may change preferences with the header of the page', async () => {
    const { headers } = await guarded.call('POST', '/session', {
      body: { username: 'bob', password: 'correct horse' },
    })
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const answer = await guarded.call('PUT', '/session/preferences', {
      body: { theme: 'dark' },
      headers: { cookie, 'x-millrace': '1' },
    })
    expect(answer.status).toBe(204)
    expect(await get('bob')).toEqual({ theme: 'dark' })
  })

  test('preferences may be as large as the limit', async () => {
    const text = 'x'.repeat(limits.preferencesBytesMax - '{"a":""}'.length)
    expect((await put('ann', { a: text })).status).toBe(204)
    expect(await get('ann')).toEqual({ a: text })
    expect((await put('ann', { a: `${text}x` })).status).toBe(400)
  })
})

describe('400 bad_request', () => {
  test('a caller for whom no preferences are kept', async () => {
    const headers = { authorization: 'Bearer a-token' }
    expect(await guarded.call('PUT', '/session/preferences', { body: {}, headers })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
    expect((await guarded.call('PUT', '/session/preferences', { body: {} })).status).toBe(400)
  })

  test('a body that is not an object', async () => {
    const answer = await guarded.call('PUT', '/session/preferences', { raw: '[]', headers: headersOf('ann') })
    expect(answer.status).toBe(400)
  })
})

describe('403 forbidden', () => {
  test('a session without the header of the page, which other sites cannot set', async () => {
    const { headers } = await guarded.call('POST', '/session', {
      body: { username: 'bob', password: 'correct horse' },
    })
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    expect(
      await guarded.call('PUT', '/session/preferences', { body: {}, headers: { cookie } }),
    ).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
  })
})
