import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await configureQueues(api.database.db, [{ name: 'lane', maxConcurrency: 1 }])
await api.createDag('work', 'queue: lane\nsteps:\n  - echo 1\n')

const put = (body: unknown, name = 'lane') => api.call('PUT', `/queues/${name}`, { body })

describe('200', () => {
  test('a paused queue starts no runs, and a resumed one does', async () => {
    const answer = await put({ paused: true })
    expect(answer).toMatchObject({
      status: 200,
      body: { queue: { name: 'lane', paused: true, pausedBy: '' } },
    })
    const run = await api.enqueue('work')
    expect((await api.get(`/dag-runs/work/${run}/why`)).body).toMatchObject({
      reasons: [
        {
          rule: 'queue_paused',
          text: expect.stringMatching(
            /^the queue lane was paused at 20.*0 queued before this one$/,
          ) as string,
        },
      ],
    })
    expect((await put({ paused: false })).body).toMatchObject({
      queue: { paused: false, used: 1, waiting: 0 },
    })
    expect((await put({})).body).toMatchObject({ queue: { paused: false, used: 1 } })
  })

  test('a limit is shown with that of the settings until it is cleared', async () => {
    await api.enqueue('work')
    expect((await put({ limit: 4 })).body).toMatchObject({
      queue: {
        limit: 4,
        maxConcurrency: 4,
        used: 2,
        limitOverride: { setBy: '', setAt: expect.stringMatching(/^20/) as string, configuredLimit: 1 },
      },
    })
    const { body } = await put({ limit: null })
    expect(body).toMatchObject({ queue: { limit: 1, maxConcurrency: 1, used: 2 } })
    expect(body).not.toHaveProperty('queue.limitOverride')
  })

  test('the queue of a DAG becomes a custom one while it has a limit', async () => {
    await api.createDag('own')
    expect((await put({ limit: 2 }, 'own')).body).toMatchObject({ queue: { type: 'custom', limit: 2 } })
    expect((await put({ limit: null }, 'own')).body).toMatchObject({ queue: { type: 'dag-based', limit: 1 } })
  })

  test('the caller who paused it is shown, and the audit log has an entry', async () => {
    const { db } = api.database
    const { key } = await createApiKey(db, {
      name: 'night watch',
      role: 'admin',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const guarded = api.with({ auth: { basic: undefined, token: 'a-token-of-the-settings' } })
    const headers = { authorization: `Bearer ${key}` }
    await guarded.call('PUT', '/queues/lane', { body: { paused: true }, headers })
    expect((await api.get('/queues/lane')).body).toMatchObject({ queue: { pausedBy: 'key night watch' } })
    expect(await db.sql`select actor, action, target from millrace.audit_entry`).toContainEqual({
      actor: 'key night watch',
      action: 'controlQueue',
      target: '/api/v2/queues/lane',
    })
    await put({ paused: false })
  })
})

describe('400 bad_request', () => {
  test.each([
    [{ limit: 0 }, 'pause the queue'],
    [{ limit: 1.5 }, 'whole number'],
    [{ limit: 'many' }, 'whole number'],
    [{ paused: 'yes' }, 'true or false'],
    [{ pause: true }, 'pause'],
  ])('the body %j', async (body, message) => {
    expect(await put(body)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: expect.stringContaining(message) as string },
    })
  })
})

describe('404 not_found', () => {
  test('an unknown queue', async () => {
    expect(await put({ paused: true }, 'ghost')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
