import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const { post, get } = await testApi()
const user = { username: 'bob', password: 'correct horse', role: 'operator' }

describe('201', () => {
  test('the user is returned without the password', async () => {
    const answer = await post<{ user: object }>('/users', user)
    expect(answer).toMatchObject({
      status: 201,
      body: { user: { username: 'bob', role: 'operator', disabled: false } },
    })
    expect(JSON.stringify(answer.body)).not.toContain('horse')
    expect((await get<{ users: object[] }>('/users')).body.users).toEqual([answer.body.user])
  })
})

describe('400 bad_request', () => {
  test.each([
    [{ ...user, username: '' }, /^username: must hold 1 to 64 .*, got ""$/],
    [{ ...user, username: 'a:b' }, /^username: must hold/],
    [{ ...user, username: '.' }, /^username: must not be \. or \.\., got "\."$/],
    [{ ...user, username: '..' }, /^username: must not be \. or \.\., got "\.\."$/],
    [{ ...user, username: 'anonymous' }, /^username: must not be anonymous, token, tick: other callers/],
    [{ ...user, role: 'owner' }, /^role: must be one of viewer, operator, editor, admin, got "owner"$/],
    [{ ...user, password: 'seven77' }, /^password: must have at least 8 characters$/],
    [{ ...user, password: `${user.username}-${user.username}-1` }, /^password: must not be the user name/],
    [{ ...user, password: 'P@ssw0rd2026' }, /^password: must not consist of common words only$/],
    [{ ...user, password: 12_345_678 }, /^password: must be a text$/],
    [{ username: 'x', role: 'viewer' }, /^password: is required$/],
  ])('the body %j', async (body, message) => {
    expect(await post('/users', body)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: expect.stringMatching(message) },
    })
  })
})

describe('409 already_exists', () => {
  test('a name that is in use', async () => {
    await post('/users', { ...user, username: 'twice' })
    expect(await post('/users', { ...user, username: 'twice' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists', message: 'user "twice" already exists' },
    })
  })
})
