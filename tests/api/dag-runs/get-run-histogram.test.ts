import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('job', 'tags: [x]\nsteps:\n  - echo 1\n')
await api.createDag('other')
/** 2026-10-01. */
const start = 1_790_812_800
await api.database.db.sql`
  insert into millrace.dag_run
    (run_id, dag_name, definition_hash, trigger_type, status, created_at, started_at, finished_at)
  select 'r' || n, 'job', definition_hash, 'api', case when n % 4 = 0 then 'failed' else 'success' end, at, at,
    at + n * interval '1 second'
  from millrace.dag, generate_series(1, 8) n,
    lateral (select to_timestamp(${start}) + (n - 1) * interval '10 minutes' as at) as t
  where file_name = 'job'`
await api.enqueue('other')

interface Bucket {
  readonly at: string
  readonly counts: Record<string, number>
  readonly p50Ms?: number
}
const histogram = async (query: string) => (await api.get<Bucket[]>(`/dag-runs/histogram${query}`)).body
const hours = `?from=${start}&to=${start + 7_200}`

describe('200', () => {
  test('every run of the range is counted in its bucket, and empty buckets are included', async () => {
    expect(await histogram(`${hours}&buckets=3`)).toEqual([
      { at: '2026-10-01T00:00:00Z', counts: { success: 3, failed: 1 }, p50Ms: 2_000 },
      { at: '2026-10-01T00:40:00Z', counts: { success: 3, failed: 1 }, p50Ms: 6_000 },
      { at: '2026-10-01T01:20:00Z', counts: {} },
    ])
  })

  test.each([
    ['&status=failed', 2],
    ['&status=failed,success', 8],
    ['&tag=X', 8],
    ['&tag=y', 0],
    ['&name=other', 0],
    ['&q=r3', 1],
    ['&minMs=7000', 2],
    ['&trigger=scheduler', 0],
  ])('the filter %s narrows the range', async (filter, expected) => {
    const counts = (await histogram(`${hours}${filter}`)).flatMap((bucket) => Object.values(bucket.counts))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(expected)
  })

  test('the range is the last day by default, and a bucket has at least a second', async () => {
    const buckets = await histogram('')
    expect(buckets).toHaveLength(96)
    expect(buckets.at(-1)?.counts).toEqual({ queued: 1 })
    expect(await histogram(`?from=${start}&to=${start + 10}`)).toHaveLength(10)
  })
})

describe('400 bad_request', () => {
  test.each(['?from=20&to=10', '?buckets=0', '?buckets=501', '?from=x', '?status=nothing', '?minMs=-1'])(
    'the query %s',
    async (query) => expect((await api.get(`/dag-runs/histogram${query}`)).status).toBe(400),
  )
})

describe('503 service_unavailable', () => {
  test('a range that takes too long is answered with the advice to narrow it', async () => {
    const db = api.database.open({ max: 1 }).within(1_500)
    const blocker = api.database.open({ max: 1 })
    await blocker.sql.unsafe('begin; lock table millrace.dag_run in access exclusive mode')
    const answer = await api.with({ db }).get<{ message: string }>('/dag-runs/histogram')
    await blocker.sql.unsafe('rollback')
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(answer.body.message).toContain('narrow the range')
  })
})
