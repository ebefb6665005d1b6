import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { recordProgress, type RecordStep } from '#lib/runs/claim/record-progress.ts'

const api = await testApi()
const { db } = api.database
await api.createDag(
  'flaky',
  'steps:\n  - {name: work, command: a}\n  - {name: after, command: b, depends: work}\n',
)

const step: RecordStep = {
  name: 'work',
  place: 0,
  status: 'running',
  phase: 'waiting',
  attempt: 1,
  retryCount: 0,
  doneCount: 0,
  waitUntil: null,
  exitCode: 1,
  error: 'bad',
  tolerated: false,
  outputs: {},
  conditions: [],
  startedAt: 1_000,
  finishedAt: null,
}
const tried = (number: number, attempt = 1) => ({
  attempt,
  number,
  startedAt: 1_000 * number,
  finishedAt: 1_000 * number + 500,
  exitCode: 3,
  error: `try ${number}`,
  logLine: 10 * number,
})

async function begun() {
  const runId = await api.start('flaky')
  await api.claim()
  const [run] = await db.sql<{ runKey: string; token: string }[]>`
    select run_key::text as "runKey", claim_token::text as token from millrace.dag_run where run_id = ${runId}`
  if (run === undefined) throw new Error('no run')
  const record = (change: Partial<RecordStep>) =>
    recordProgress(db, [{ ...run, steps: [{ ...step, ...change }] }])
  return { runId, run, record }
}
type Tries = readonly { attempt: number; number: number }[]
const stored = async (runKey: string) => {
  const [row] = await db.sql<{ tries: Tries | null }[]>`
    select tries from millrace.dag_run_step where run_key = ${runKey}::bigint and name = 'work'`
  return row?.tries
}

describe('tries of a step', () => {
  test('are appended once, however often they are recorded', async () => {
    const { run, record } = await begun()
    await record({ phase: 'executing' })
    expect(await stored(run.runKey)).toBeNull()
    for (const number of [1, 1, 2, 2, 1]) await record({ tried: tried(number) })
    await record({ phase: 'executing' })
    expect(await stored(run.runKey)).toEqual([tried(1), tried(2)])
  })

  test('are limited to the latest hundred', async () => {
    const { run, record } = await begun()
    for (let number = 1; number <= 103; number++) await record({ tried: tried(number) })
    const tries = await stored(run.runKey)
    expect(tries?.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, at) => at + 4))
  })

  test('are kept when the run is retried, and can be read for each attempt', async () => {
    const { runId, run, record } = await begun()
    await record({ tried: tried(1) })
    await record({ tried: tried(2) })
    await api.finish(runId, 'failed', { work: 'failed', after: 'cancelled' })
    for (let attempt = 2; attempt <= 3; attempt++) {
      await api.post(`/dag-runs/flaky/${runId}/retry`, { dagRunId: runId })
      await api.claim()
      await api.finish(runId, attempt === 2 ? 'failed' : 'success', {
        work: attempt === 2 ? 'failed' : 'success',
        after: attempt === 2 ? 'cancelled' : 'success',
      })
    }
    expect(await stored(run.runKey)).toBeNull()
    const of = async (query: string) => {
      const { body } = await api.get<{
        dagRun: { status: number; attempt: number; nodes: { status: number; tries?: Tries }[] }
      }>(`/dag-runs/flaky/${runId}${query}`)
      const { status, attempt, nodes } = body.dagRun
      const tries = nodes[0]?.tries?.map((one) => [one.attempt, one.number])
      return { status, attempt, steps: nodes.map((node) => node.status), tries }
    }
    const first = [
      [1, 1],
      [1, 2],
    ]
    expect(await of('')).toEqual({ status: 4, attempt: 3, steps: [4, 4], tries: [...first, [2, 1], [3, 1]] })
    expect(await of('?attempt=2')).toEqual({
      status: 2,
      attempt: 2,
      steps: [2, 0],
      tries: [...first, [2, 1]],
    })
    expect(await of('?attempt=1')).toEqual({ status: 2, attempt: 1, steps: [2, 0], tries: first })
    expect((await api.get(`/dag-runs/flaky/${runId}?attempt=4`)).status).toBe(400)
    const { body } = await api.get<{ dagRun: { attempts: { attempt: number; status: number }[] } }>(
      `/dag-runs/flaky/${runId}?attempt=1`,
    )
    expect(body.dagRun.attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 2],
      [2, 2],
      [3, 4],
    ])
  })

  test('are removed with their run', async () => {
    const { runId, run, record } = await begun()
    await record({ tried: tried(1) })
    await api.finish(runId, 'failed', { work: 'failed' })
    await api.post(`/dag-runs/flaky/${runId}/retry`, { dagRunId: runId })
    const count = async () => {
      const [row] = await db.sql<{ count: number }[]>`
        select count(*)::int as count from millrace.past_try where run_key = ${run.runKey}::bigint`
      return row?.count
    }
    expect(await count()).toBe(1)
    await db.sql`delete from millrace.dag_run where run_key = ${run.runKey}::bigint`
    expect(await count()).toBe(0)
  })
})
