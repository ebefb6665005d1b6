import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

describe('200', () => {
  test('the database is listed as the coordinator', async () => {
    expect((await api.get('/services/coordinator')).body).toEqual({
      coordinators: [
        {
          instanceId: 'postgres',
          host: '127.0.0.1',
          status: 'active',
          startedAt: expect.stringMatching(/^20\d\d-/),
          port: expect.any(Number),
        },
      ],
    })
  })
})
