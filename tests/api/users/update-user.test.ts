import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const { post, call } = await testApi()
await post('/users', { username: 'bob', password: 'correct horse', role: 'viewer' })
const update = (body: unknown, name = 'bob') => call('PATCH', `/users/${name}`, { body })

describe('200', () => {
  test('fields that are not given stay unchanged', async () => {
    expect((await update({ role: 'editor' })).body).toMatchObject({
      user: { role: 'editor', disabled: false },
    })
    expect((await update({ disabled: true })).body).toMatchObject({
      user: { role: 'editor', disabled: true },
    })
    expect((await update({ password: 'another horse' })).status).toBe(200)
    expect((await update({})).body).toMatchObject({ user: { role: 'editor', disabled: true } })
  })
})

describe('400 bad_request', () => {
  test.each([{ role: 'root' }, { disabled: 'yes' }, { password: 'short' }, { password: 'Password123' }])(
    'the body %j',
    async (body) => {
      const answer = await update(body)
      expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
      expect(JSON.stringify(answer.body)).not.toContain('short')
    },
  )
})

describe('404 not_found', () => {
  test('an unknown user', async () => {
    expect(await update({ role: 'viewer' }, 'nobody')).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'user "nobody" not found' },
    })
  })
})
