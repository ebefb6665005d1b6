import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { rewriteRuns } from '#tests/support/rewrite-runs.ts'

const api = await testApi()
const steps = 'steps:\n  - echo 1\n'
await api.createDag('Night', `tags: [Red]\ngroup: ops\n${steps}`)
await api.createDag('day', steps)
await api.finish(await api.start('Night', { dagRunId: 'a1' }), 'failed')
await api.finish(await api.start('day', { dagRunId: 'b2' }), 'success')
await api.finish(await api.start('Night', { dagRunId: 'c3' }), 'success')
await api.finish(await api.start('day', { dagRunId: 'd4' }), 'partial_success')
const { db } = api.database
await rewriteRuns(db, "trigger_type = 'schedule'", 'c3')
await rewriteRuns(db, "started_at = finished_at - interval '1 hour'", 'b2')
await api.start('day', { dagRunId: 'e5' })
await api.claim()
await rewriteRuns(db, "started_at = started_at - interval '2 hours'", 'e5')
await api.enqueue('Night', { dagRunId: 'f6' })
await api.start('Night', { dagRunId: 'g7' })

interface List {
  readonly dagRuns: { readonly dagRunId: string; readonly fileName?: string }[]
  readonly nextCursor?: string
}
const list = async (query: string) => (await api.get<List>(`/dag-runs${query}`)).body
const ids = (page: List) => page.dagRuns.map(({ dagRunId }) => dagRunId).join(' ')

describe('200', () => {
  test.each([
    ['?status=2,6', 'd4 a1'],
    ['?status=failed,partial%20success', 'd4 a1'],
    ['?status=queued', 'f6'],
    ['?status=0', 'g7'],
    ['?status=0,5', 'g7 f6'],
    ['?status=0,1,5', 'g7 f6 e5'],
    ['?status=0,4', 'g7 c3 b2'],
    ['?status=7,8', ''],
    ['?status=7,2', 'a1'],
    ['?tag=red', 'g7 f6 c3 a1'],
    ['?tag=re', ''],
    ['?group=ops&status=4', 'c3'],
    ['?trigger=scheduler', 'c3'],
    ['?trigger=manual&status=4', 'b2'],
    ['?worker=test-runner', 'e5'],
    ['?worker=nobody', ''],
    ['?q=NIGHT', 'g7 f6 c3 a1'],
    ['?q=3', 'c3'],
    ['?q=night%203', 'c3'],
    ['?q=%25', ''],
    ['?minMs=3000000', 'e5 b2'],
    ['?minMs=5000000', 'e5'],
    ['?minMs=3000000&q=day&status=4', 'b2'],
    ['?q=night&dagRunId=c', 'c3'],
  ])('the filter %s', async (query, expected) => {
    expect(ids(await list(query))).toBe(expected)
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const page = await list(`${query}&limit=1${cursor}`)
      seen.push(...page.dagRuns.map(({ dagRunId }) => dagRunId))
      if (page.nextCursor === undefined) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(seen.join(' ')).toBe(expected)
  })

  test('the runs of one DAG take the same filters', async () => {
    const { body } = await api.get<List>('/dag-runs/Night?status=2,4&trigger=manual')
    expect(ids(body)).toBe('a1')
  })

  test('with fields=more the list includes the file name', async () => {
    await api.createDag('file', `name: shown\n${steps}`)
    await api.start('file', { dagRunId: 'h8' })
    expect((await list('?q=h8&fields=more')).dagRuns).toMatchObject([{ name: 'shown', fileName: 'file' }])
    expect((await list('?q=h8')).dagRuns[0]).not.toHaveProperty('fileName')
    const { body } = await api.get<{ dagRun: object }>('/dag-runs/shown/h8')
    expect(body.dagRun).toMatchObject({ fileName: 'file' })
  })
})

describe('400 bad_request', () => {
  test.each(['?status=2,', '?status=2,nine', '?trigger=subdag', '?minMs=1.5', `?q=${'x'.repeat(257)}`])(
    'the query %s',
    async (query) => expect((await api.get(`/dag-runs${query}`)).status).toBe(400),
  )

  test('an unknown status is answered with the nearest one', async () => {
    const { body } = await api.get<{ message: string }>('/dag-runs?status=2,faild')
    expect(body.message).toContain('did you mean failed')
  })
})
