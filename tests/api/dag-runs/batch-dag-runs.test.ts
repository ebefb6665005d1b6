import { describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { limits } from '#lib/core/limits.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('long')
const { db } = api.database

interface Answer {
  readonly results: readonly { dagRunId: string; status: number; code?: string; message?: string }[]
  readonly done: number
  readonly failed: number
}
const of = (ids: readonly string[]) => ids.map((dagRunId) => ({ name: 'long', dagRunId }))
const batch = (action: string, ids: readonly string[], headers: Record<string, string> = {}) =>
  api.call<Answer>('POST', '/dag-runs/batch', { body: { action, runs: of(ids) }, headers })
const detailsOf = async (runId: string) =>
  (await api.get<{ dagRun: { status: number; attempt: number } }>(`/dag-runs/long/${runId}`)).body.dagRun

describe('200', () => {
  test('each run has a result of its own, in the order of the call', async () => {
    const ended = await api.start('long')
    await api.finish(ended, 'success')
    const going = await api.start('long')
    await api.claim()
    const { status, body } = await batch('stop', [ended, going, 'nothing'])
    expect(status).toBe(200)
    expect(body).toMatchObject({
      results: [
        { name: 'long', dagRunId: ended, status: 400, code: 'not_running' },
        { name: 'long', dagRunId: going, status: 200 },
        { name: 'long', dagRunId: 'nothing', status: 404, code: 'not_found' },
      ],
      done: 1,
      failed: 2,
    })
    expect(body.results[0]?.message).toContain(ended)
    expect(await api.stopRequested(going)).toBe(true)
    await api.finish(going, 'cancelled')
  })

  test('stop also takes queued runs from their queues, dequeue takes only those', async () => {
    const first = await api.enqueue('long')
    const [second, third] = [await api.enqueue('long'), await api.enqueue('long')]
    expect((await batch('dequeue', [second, first])).body.results).toMatchObject([
      { status: 200 },
      { status: 404, code: 'not_found' },
    ])
    expect((await batch('stop', [third, first])).body).toMatchObject({ done: 2, failed: 0 })
    for (const id of [first, second, third]) expect((await detailsOf(id)).status).toBe(3)
  })

  test('a retry with an idempotency key happens once, however often it is sent', async () => {
    const ids = [await api.start('long'), await api.start('long')]
    for (const id of ids) await api.finish(id, 'failed', { work: 'failed' })
    const headers = { 'idempotency-key': 'once' }
    expect((await batch('retry', ids, headers)).body.done).toBe(2)
    for (const id of ids) await api.finish(id, 'failed', { work: 'failed' })
    expect((await batch('retry', ids, headers)).body.done).toBe(2)
    for (const id of ids) expect(await detailsOf(id)).toMatchObject({ attempt: 2, status: 2 })
    expect((await batch('retry', ids)).body.done).toBe(2)
    for (const id of ids) expect(await detailsOf(id)).toMatchObject({ attempt: 3 })
    expect((await batch('retry', ids)).body.results).toMatchObject([
      { status: 400, code: 'already_running' },
      { status: 400, code: 'already_running' },
    ])
    for (const id of ids) await api.finish(id, 'success')
  })

  test('the audit log has an entry for each run, as for a single call', async () => {
    const guarded = api.with({ auth: { basic: undefined, token: 'of-the-settings' } })
    const { key } = await createApiKey(db, {
      name: 'night shift',
      role: 'operator',
      createdBy: 'test',
      expiresInDays: undefined,
    })
    const going = await api.start('long')
    const { status } = await guarded.call('POST', '/dag-runs/batch', {
      body: { action: 'stop', runs: of([going, 'nothing']) },
      headers: { authorization: `Bearer ${key}` },
    })
    expect(status).toBe(200)
    const entries = await db.sql`
      select actor, action, target, status from millrace.audit_entry where actor = 'key night shift' order by target`
    expect(entries).toEqual(
      [
        { target: `/api/v2/dag-runs/long/${going}/stop`, status: 200 },
        { target: '/api/v2/dag-runs/long/nothing/stop', status: 404 },
      ].map((entry) => ({ actor: 'key night shift', action: 'stopDagRun', ...entry })),
    )
  })
})

describe('400 bad_request', () => {
  test.each([
    ['an unknown action', { action: 'delete', runs: of(['a']) }, 'action'],
    ['no run', { action: 'stop', runs: [] }, 'runs'],
    ['a run twice', { action: 'stop', runs: of(['a', 'a']) }, 'runs'],
    ['a malformed id of a run', { action: 'stop', runs: of(['a b']) }, 'runs.0.dagRunId'],
    [
      'too many runs',
      { action: 'stop', runs: of(Array.from({ length: limits.batchItemsMax + 1 }, String)) },
      'runs',
    ],
  ])('%s', async (_name, body, field) => {
    const answer = await api.post<{ code: string; message: string }>('/dag-runs/batch', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_request'])
    expect(answer.body.message).toContain(`${field}: must`)
  })

  test('a malformed idempotency key, before anything happens', async () => {
    const going = await api.start('long')
    expect((await batch('stop', [going], { 'idempotency-key': 'a b' })).status).toBe(400)
    expect((await detailsOf(going)).status).toBe(0)
  })
})
