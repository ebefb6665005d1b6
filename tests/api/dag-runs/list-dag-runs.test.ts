import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('one')
await api.createDag('two')
const good = await api.start('one', { dagRunId: 'good_1' })
await api.finish(good, 'success')
const bad = await api.start('one', { dagRunId: 'bad-1', params: 'A=1' })
await api.finish(bad, 'failed')
const other = await api.start('two', { dagRunId: 'other' })

type Body = { dagRuns: { dagRunId: string; name: string }[] }
const ids = async (query = '') =>
  (await api.get<Body>(`/dag-runs${query}`)).body.dagRuns.map((run) => run.dagRunId)

describe('200', () => {
  test('the runs of all DAGs are listed newest first', async () => {
    expect(await ids()).toEqual([other, bad, good])
  })

  test('fields=more adds the attempt and times in milliseconds', async () => {
    const { body } = await api.get<{ dagRuns: Record<string, unknown>[] }>('/dag-runs?fields=more&limit=2')
    expect(body.dagRuns[0]).toMatchObject({ dagRunId: other, attempt: 1 })
    expect(body.dagRuns[0]).not.toHaveProperty('startedAtMs')
    const { durationMs, startedAtMs, finishedAtMs } = body.dagRuns[1] ?? {}
    expect(Number(finishedAtMs) - Number(startedAtMs)).toBe(durationMs)
  })

  test('a run is shown with every field of the document', async () => {
    const { body } = await api.get<Body>('/dag-runs?dagRunId=bad')
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(body.dagRuns).toEqual([
      {
        rootDAGRunName: 'one',
        rootDAGRunId: 'bad-1',
        parentDAGRunName: '',
        parentDAGRunId: '',
        dagRunId: 'bad-1',
        name: 'one',
        status: 2,
        statusLabel: 'failed',
        queuedAt: '',
        startedAt: time,
        finishedAt: time,
        durationMs: expect.any(Number) as number,
        log: expect.any(String),
        params: 'A=1',
        triggerType: 'manual',
        scheduleTime: '',
        workerId: '',
      },
    ])
  })

  test.each([
    ['?name=one', ['bad-1', 'good_1']],
    ['?name=on', []],
    ['?status=4', ['good_1']],
    ['?status=2&name=one', ['bad-1']],
    ['?status=3', []],
    ['?status=finished', ['good_1']],
    ['?status=success', ['good_1']],
    ['?status=Succeeded', ['good_1']],
    ['?status=error', ['bad-1']],
    ['?status=canceled', []],
    ['?status=partially_succeeded', []],
    ['?status=not%20started', ['other']],
    ['?dagRunId=oo', ['good_1']],
    ['?dagRunId=d_1', ['good_1']],
    ['?dagRunId=good_1', ['good_1']],
    ['?dagRunId=o', ['other', 'good_1']],
    ['?dagRunId=o&name=one', ['good_1']],
    ['?dagRunId=o&status=4', ['good_1']],
    ['?dagRunId=o&toDate=1700000000', []],
    ['?dagRunId=O', []],
    ['?dagRunId=', ['other', 'bad-1', 'good_1']],
    ['?dagRunId=%25', []],
    ['?fromDate=1600000000&toDate=1600086400', []],
    ['?fromDate=1700000000', ['other', 'bad-1', 'good_1']],
    ['?toDate=4102444800&name=two', ['other']],
  ])('the filter %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test('child runs are not listed', async () => {
    await api.startChild(other, { dagName: 'kid', runId: 'kid-1', step: 'work' })
    expect(await ids()).not.toContain('kid-1')
  })
})

describe('400 bad_request', () => {
  test('an unknown status is answered with the nearest one', async () => {
    const { status, body } = await api.get<{ message: string }>('/dag-runs?status=sucess')
    expect(status).toBe(400)
    expect(body.message).toMatch(
      /^status: must be an integer from 0 to 8, or finished, .*\(did you mean success\?\), got "sucess"$/,
    )
  })

  test.each(['status=9', 'status=-1', 'status=four', 'fromDate=yesterday', 'toDate=1.5'])(
    'the query %s',
    async (query) => {
      const answer = await api.get(`/dag-runs?${query}`)
      expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } })
      expect(JSON.stringify(answer.body)).toContain(query.split('=')[0])
    },
  )
})
