import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

describe('200', () => {
  test('a service that reaches its database is healthy', async () => {
    const answer = await api.get('/health')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      status: 'healthy',
      version: '0.0.0-test',
      uptime: expect.any(Number),
      timestamp: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    })
  })

  test('no credential is needed', async () => {
    const guarded = api.with({ auth: { basic: { username: 'a', password: 'b' }, token: undefined } })
    expect((await guarded.get('/health')).status).toBe(200)
    expect((await guarded.get('/dags')).status).toBe(401)
  })
})

describe('503', () => {
  test('a service without its database is unhealthy, and says when to ask again', async () => {
    const lost = api.database.open({ max: 1 })
    await lost.close()
    const answer = await api.with({ db: lost }).get('/health')
    expect(answer).toMatchObject({ status: 503, body: { status: 'unhealthy', error: expect.any(String) } })
    expect(answer.headers.get('retry-after')).toBe('2')
  })
})
