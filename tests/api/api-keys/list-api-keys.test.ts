import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const { get, post } = await testApi()

describe('200', () => {
  test('keys are listed newest first, and there are none at first', async () => {
    expect((await get('/api-keys')).body).toEqual({ apiKeys: [] })
    for (const name of ['old', 'new']) await post('/api-keys', { name, role: 'viewer' })
    const { apiKeys } = (await get<{ apiKeys: { name: string }[] }>('/api-keys')).body
    expect(apiKeys.map((key) => key.name)).toEqual(['new', 'old'])
  })
})
