import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('one', 'tags: [red, blue]\nsteps:\n  - echo 1\n')

describe('200', () => {
  test('tags are listed once, sorted', async () => {
    expect((await api.get('/api/v1/tags')).body).toEqual({ Tags: ['blue', 'red'], Errors: [] })
  })
})
