import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('job', 'maxActiveRuns: 5000\nsteps:\n  - echo 1\n')
await api.createDag('other')
/** Many runs in one statement. */
const fill = (count: number) => api.database.db.sql`
  insert into millrace.dag_run
    (run_id, dag_name, definition_hash, trigger_type, status, finished_at, created_at)
  select 'r' || n, 'job', definition_hash, 'api', 'success', clock_timestamp(),
    clock_timestamp() - n * interval '1 hour'
  from generate_series(1, ${count}) n, millrace.dag where file_name = 'job'`
await fill(1_200)
await api.start('other', { dagRunId: 'elsewhere' })

interface List {
  readonly dagRuns: { readonly dagRunId: string }[]
  readonly nextCursor?: string
}
const list = async (query = '', path = '/dag-runs') => (await api.get<List>(path + query)).body
const ids = ({ dagRuns }: List) => dagRuns.map((run) => run.dagRunId)

describe('all runs', () => {
  test('are listed completely and newest first, whatever their number', async () => {
    const expected = ['elsewhere', ...Array.from({ length: 1_200 }, (_, n) => `r${n + 1}`)]
    const all = await list()
    expect(ids(all)).toEqual(expected)
    expect(all).not.toHaveProperty('nextCursor')
    expect(ids(await list('', '/dag-runs/job'))).toEqual(expected.slice(1))
    expect(await list('?status=2')).toEqual({ dagRuns: [] })
  })

  test('are one per line for callers that accept application/x-ndjson', async () => {
    const answer = await api.call<string>('GET', '/dag-runs?name=job', {
      headers: { accept: 'application/x-ndjson' },
    })
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = answer.body.trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { dagRunId: string }).dagRunId)).toEqual(
      Array.from({ length: 1_200 }, (_, n) => `r${n + 1}`),
    )
    const none = await api.call('GET', '/dag-runs?status=2', { headers: { accept: 'application/x-ndjson' } })
    expect(none).toMatchObject({ status: 200, body: '' })
  })
})

describe('pages', () => {
  test('follow each other without gaps, even when runs are created meanwhile', async () => {
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const page = await list(`?limit=500&name=job${cursor}`)
      seen.push(...ids(page))
      await api.start('job')
      if (page.nextCursor === undefined) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(seen).toEqual(Array.from({ length: 1_200 }, (_, n) => `r${n + 1}`))
  })

  test('end with one that has no cursor', async () => {
    expect(await list('?limit=1&name=other')).toEqual({ dagRuns: [expect.anything()] })
  })

  test.each([
    ['limit=0', 'limit: must be a whole number from 1 to 1000, got "0"'],
    ['limit=1001', 'limit: must be at most 1000, got 1001'],
    ['cursor=x', 'cursor: must be the nextCursor of an earlier answer, got "x"'],
    ['limit=1&cursor=MS0yOw', 'cursor: must be the nextCursor of an earlier answer, got "MS0yOw"'],
  ])('are refused with 400 for %s', async (query, message) => {
    expect(await api.get(`/dag-runs?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message },
    })
  })
})
