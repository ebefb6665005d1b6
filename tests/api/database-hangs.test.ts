import { afterEach, describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('job')
const run = await api.start('job')
const blocker = api.database.open({ max: 1 })
const hasty = api.with({ answerMsMax: 200 })

/** Locks a table so that no one else can read it, like a database that hangs. */
async function hold(table: string): Promise<void> {
  await blocker.sql.unsafe(`begin; lock table millrace.${table} in access exclusive mode`)
}
afterEach(async () => {
  await blocker.sql.unsafe('rollback')
})
const unavailable = {
  status: 503,
  body: { code: 'service_unavailable', message: 'the database did not answer in time; try again' },
}

describe('a database that does not answer', () => {
  test.each([
    ['GET', '/dag-runs'],
    ['GET', '/dag-runs?limit=5'],
    ['GET', `/dag-runs/job/${run}`],
    ['GET', `/dag-runs/job/${run}/events`],
    ['POST', '/dags/job/start'],
    ['POST', `/dag-runs/job/${run}/stop`],
    ['GET', '/queues'],
  ])('gives 503 and a time to try again for %s %s', async (method, path) => {
    await hold('dag_run')
    const answer = await hasty.call(method, path)
    expect(answer).toMatchObject(unavailable)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('gives 503 for a login with an API key too', async () => {
    await hold('api_key')
    const guarded = api.with({
      answerMsMax: 200,
      auth: { basic: undefined, token: 'the-token-of-the-settings' },
    })
    const headers = { authorization: `Bearer mr_${'x'.repeat(43)}` }
    expect(await guarded.call('GET', '/dags', { headers })).toMatchObject(unavailable)
    const token = { authorization: 'Bearer the-token-of-the-settings' }
    expect((await guarded.call('GET', '/dags', { headers: token })).status).toBe(200)
  })

  test('does not hide a finished change whose audit entry cannot be written', async () => {
    await hold('audit_entry')
    expect(await hasty.post('/dags', { name: 'unwritten' })).toMatchObject({ status: 201 })
  })
})
