import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const { post, get } = await testApi()

describe('200', () => {
  test('users are listed by name, and there are none at first', async () => {
    expect((await get('/users')).body).toEqual({ users: [] })
    for (const username of ['zoe', 'ann']) {
      await post('/users', { username, password: 'correct horse', role: 'viewer' })
    }
    const { users } = (await get<{ users: { username: string }[] }>('/users')).body
    expect(users.map((user) => user.username)).toEqual(['ann', 'zoe'])
  })
})
