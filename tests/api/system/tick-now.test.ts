import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const tickToken = 'token-of-the-clock'
const guarded = api.with({ auth: { basic: undefined, token: 'token-of-the-admin', tickToken } })
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('200', () => {
  test('due work is done, and the next due time is returned', async () => {
    await api.createDag('nightly', 'schedule: "0 1 * * *"\nsteps:\n  - echo 1\n')
    await api.database.db.sql`update millrace.schedule set next_at = clock_timestamp()`
    const done = { promoted: 0, takenOver: 0, stopped: 0, removed: 0 }
    const first = await guarded.call('POST', '/tick', as(tickToken))
    expect(first).toMatchObject({ status: 200, body: { ...done, fired: 1, nextDueMs: expect.any(Number) } })
    expect((await guarded.call('POST', '/tick', as(tickToken))).body).toMatchObject({ fired: 0 })
    expect((await api.get<{ dagRuns: object[] }>('/dag-runs?name=nightly')).body.dagRuns).toHaveLength(1)
  })

  test('an admin may tick too', async () => {
    expect((await guarded.call('POST', '/tick', as('token-of-the-admin'))).status).toBe(200)
  })
})

describe('403 forbidden', () => {
  test('another call with the token of the tick', async () => {
    expect(await guarded.call('GET', '/dags', as(tickToken))).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
  })
})

describe('401 unauthorized', () => {
  test.each(['token-of-nobody', 'token-of-the-cloc', ''])('the token %j', async (token) => {
    expect((await guarded.call('POST', '/tick', as(token))).status).toBe(401)
  })
})

test('HEAD and calls from other sites do not tick', async () => {
  expect((await api.call('HEAD', '/tick')).status).toBe(405)
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect((await api.call('POST', '/tick', { headers })).status).toBe(403)
})
