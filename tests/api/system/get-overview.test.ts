import { describe, expect, test } from 'vitest'
import type { Answer } from '#lib/client/client.ts'
import { testApi } from '#tests/support/api.ts'
import { createMinutely, missMinutes } from '#tests/support/missed-instants.ts'
import { rewriteRuns } from '#tests/support/rewrite-runs.ts'

const api = await testApi()
const { db } = api.database
type Overview = Extract<Answer<'getOverview'>, { status: 200 }>['body']

describe('200', () => {
  test('the overview has running, failed, late and next runs, and the previous period', async () => {
    await api.createDag('good', 'schedule: "0 4 * * *"\nsteps:\n  - {name: work, command: a}\n')
    await api.createDag('bad')
    for (const [dag, state] of [
      ['good', 'success'],
      ['bad', 'failed'],
      ['bad', 'failed'],
      ['good', 'failed'],
    ] as const) {
      await api.finish(await api.start(dag), state, { work: state })
    }
    const old = await api.start('good')
    await api.finish(old, 'success', { work: 'success' })
    await rewriteRuns(db, "created_at = created_at - interval '30 hours'", old)
    const going = await api.start('good')
    await api.claim()
    await api.enqueue('bad')
    await api.enqueue('bad')
    await createMinutely(db, 'late', '')
    await missMinutes(db, 'late', 3)
    const { status, body } = await api.get<Overview>('/overview')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      running: 1,
      ended: { succeeded: 1, partlySucceeded: 0, failed: 3, cancelled: 0 },
      before: { succeeded: 1, partlySucceeded: 0, failed: 0, cancelled: 0 },
      runners: { live: 0, busy: 0, slots: 0, used: 0 },
      late: [{ fileName: 'late', zone: 'UTC' }],
      next: [{ fileName: 'good' }],
      longest: [{ name: 'good', dagRunId: going }],
    })
    expect(body.failing.map(({ name, failed }) => [name, failed])).toEqual([
      ['bad', 2],
      ['good', 1],
    ])
    expect(body.queued).toBeGreaterThan(0)
    expect(body.oldestWaitMs).toBeGreaterThanOrEqual(0)
    expect(body.histogram).toHaveLength(48)
    expect(body.longest[0]?.p95Ms).toBeGreaterThanOrEqual(0)
  })

  test('calls within two seconds share one answer', async () => {
    const { get } = api.with({ isOneInstance: true })
    const one = await get<Overview>('/overview?hours=2')
    await api.createDag('more')
    await api.start('more')
    expect((await get<Overview>('/overview?hours=2')).body).toEqual(one.body)
    expect((await get<Overview>('/overview?hours=3')).body.queued).toBe(one.body.queued + 1)
  })
})

describe('400 bad_request', () => {
  test.each(['hours=0', 'hours=721', 'hours=x'])('the query %s', async (query) => {
    expect((await api.get(`/overview?${query}`)).status).toBe(400)
  })
})
