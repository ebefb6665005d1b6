import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('one', 'steps:\n  - echo needle\n')

describe('200', () => {
  test('matching lines are found', async () => {
    expect((await api.get('/api/v1/search?q=needle')).body).toEqual({
      Results: [
        {
          Name: 'one',
          DAG: expect.objectContaining({ Name: 'one' }),
          Matches: [{ Line: 'steps:\n  - echo needle', LineNumber: 2, StartLine: 1 }],
        },
      ],
      Errors: [],
    })
  })
})

describe('400 bad_request', () => {
  test('an empty search', async () => {
    expect((await api.get('/api/v1/search')).status).toBe(400)
  })
})
