import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { rewriteRuns } from '#tests/support/rewrite-runs.ts'

const api = await testApi()

interface Stats {
  readonly runs: number
  readonly successRate?: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly waitP50Ms?: number
  readonly steps: Record<string, { p50Ms?: number; p95Ms?: number; failRate: number }>
}
const stats = async (query = '') => (await api.get<Stats>(`/dags/job/stats${query}`)).body

/** A run that took so many seconds, its one step half of them. */
async function ran(seconds: number, end: 'success' | 'failed'): Promise<string> {
  const run = await api.start('job')
  await api.finish(run, end, { work: end })
  const { sql } = api.database.db
  const times = `started_at = created_at + interval '2 s', finished_at = created_at + interval '${seconds + 2} s'`
  await rewriteRuns(api.database.db, times, run)
  await sql`
    update millrace.dag_run_step
    set started_at = now(), finished_at = now() + ${seconds}::int * interval '500 milliseconds'
    where run_key = (select run_key from millrace.dag_run where run_id = ${run})`
  return run
}

describe('200', () => {
  test('the statistics cover the newest finished runs', async () => {
    await api.createDag('job')
    expect(await stats()).toEqual({ runs: 0, steps: {} })
    for (const seconds of [40, 10, 20]) await ran(seconds, 'success')
    await ran(30, 'failed')
    const found = await stats()
    expect(found).toEqual({
      runs: 4,
      successRate: 0.75,
      p50Ms: 20_000,
      p95Ms: 40_000,
      waitP50Ms: 2_000,
      steps: { work: { p50Ms: 10_000, p95Ms: 20_000, failRate: 0.25 } },
    })
    await api.start('job')
    expect(await stats()).toEqual(found)
    expect(await stats('?runs=2')).toMatchObject({ runs: 1, successRate: 0, p50Ms: 30_000 })
  })

  test('a run that ends or is retried changes the statistics at once', async () => {
    const run = await ran(50, 'success')
    expect(await stats()).toMatchObject({ runs: 5, successRate: 0.8, p95Ms: 50_000 })
    await api.post(`/dag-runs/job/${run}/retry`, { dagRunId: run })
    expect((await stats()).runs).toBe(4)
  })
})

describe('400 bad_request', () => {
  test.each(['?runs=0', '?runs=101', '?runs=x'])('the query %s', async (query) => {
    expect((await api.get(`/dags/job/stats${query}`)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown DAG', async () => expect((await api.get('/dags/nothing/stats')).status).toBe(404))
})
