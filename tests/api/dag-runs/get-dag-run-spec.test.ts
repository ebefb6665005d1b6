import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = '# as it was\nsteps:\n  - echo 1\n'
await api.createDag('kept', spec)
const runId = await api.start('kept')

describe('200', () => {
  test('the text is that at the start of the run', async () => {
    await api.storeSpec('kept', 'steps:\n  - echo 2\n')
    expect((await api.get(`/dag-runs/kept/${runId}/spec`)).body).toEqual({ spec })
    expect((await api.get('/dag-runs/kept/latest/spec')).body).toEqual({ spec })
  })
})

describe('400 bad_request', () => {
  test('an id that no run can have', async () => {
    expect((await api.get('/dag-runs/kept/a%20b/spec')).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown run', async () => {
    expect(await api.get('/dag-runs/kept/zzz/spec')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
