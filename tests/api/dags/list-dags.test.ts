import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { ownDag } from '#tests/support/own-dag.ts'

const api = await testApi()
await api.createDag('beta', 'tags: [Red, big]\nsteps:\n  - echo 1\n')
await api.createDag('Alpha', 'name: zulu\ndescription: last by its name\nsteps:\n  - echo 1\n')
await api.createDag(
  'gamma_1',
  'tags: "red, small"\nschedule: "0 3 * * *"\nparams: P1=foo two\nsteps:\n  - echo 1\n',
)

type Item = {
  fileName: string
  dag: { tags: string[] }
  latestDAGRun: { dagRunId: string }
  errors: string[]
}
type Page = { dags: Item[]; errors: string[]; pagination: Record<string, number | null> }
const list = async (query = '') => (await api.get<Page>(`/dags${query}`)).body
const names = (page: Page) => page.dags.map((item) => item.fileName)

describe('200', () => {
  test('DAGs are sorted by name ignoring case, and have their summary', async () => {
    const page = await list()
    expect(names(page)).toEqual(['beta', 'gamma_1', 'Alpha'])
    expect(page.dags[1]).toEqual({
      fileName: 'gamma_1',
      dag: {
        name: 'gamma_1',
        group: '',
        schedule: [{ expression: '0 3 * * *' }],
        description: '',
        params: ['P1', '1'],
        defaultParams: 'P1="foo" 2="two"',
        tags: ['red', 'small'],
      },
      latestDAGRun: expect.objectContaining({ name: 'gamma_1', dagRunId: '', status: 0, log: '' }),
      suspended: false,
      nextRun: expect.stringMatching(/T03:00:00Z$/),
      nextRunAt: expect.stringMatching(/T03:00:00Z$/),
      nextRunZone: 'UTC',
      updatedAt: expect.stringMatching(/^20.*Z$/),
      source: 'database',
      errors: [],
    })
    expect(page.errors).toEqual([])
  })

  test('runs=2 adds the two newest runs of each DAG, newest first', async () => {
    const other = await testApi()
    await other.createDag('one')
    await other.createDag('two')
    const ids = []
    for (const end of ['success', 'failed', 'success'] as const) {
      ids.unshift(await other.start('one'))
      await other.finish(ids[0] ?? '', end)
    }
    const { body } = await other.get<{ dags: { recentRuns?: object[] }[] }>('/dags?runs=2')
    expect(body.dags.map(({ recentRuns }) => recentRuns)).toMatchObject([
      [
        { dagRunId: ids[0], status: 4, triggerType: 'manual', durationMs: expect.any(Number) as number },
        { dagRunId: ids[1], status: 2, startedAtMs: expect.any(Number) as number },
      ],
      [],
    ])
    const plain = await other.get<{ dags: object[] }>('/dags')
    expect(plain.body.dags[0]).not.toHaveProperty('recentRuns')
  })

  test('name filters by a part of the file name, literally and in any case', async () => {
    expect(names(await list('?name=ALP'))).toEqual(['Alpha'])
    expect(names(await list('?name=a_1'))).toEqual(['gamma_1'])
    expect(names(await list('?name=a%251'))).toEqual([])
    expect(names(await list('?name=zulu'))).toEqual([])
  })

  test('tag filters by the whole tag, in any case', async () => {
    expect(names(await list('?tag=RED'))).toEqual(['beta', 'gamma_1'])
    expect(names(await list('?tag=re'))).toEqual([])
  })

  test('pages give the numbers of the previous and the next page, or null', async () => {
    expect((await list('?perPage=2')).pagination).toEqual({
      totalRecords: 3,
      currentPage: 1,
      totalPages: 2,
      nextPage: 2,
      prevPage: null,
    })
    const last = await list('?perPage=2&page=2')
    expect(names(last)).toEqual(['Alpha'])
    expect(last.pagination).toMatchObject({ currentPage: 2, nextPage: null, prevPage: 1 })
    const beyond = await list('?perPage=2&page=9')
    expect(names(beyond)).toEqual([])
    expect(beyond.pagination).toMatchObject({ totalRecords: 3, nextPage: null, prevPage: 2 })
  })

  test('numbers out of range are clamped', async () => {
    expect((await list('?page=0&perPage=0')).pagination).toMatchObject({ currentPage: 1, totalPages: 1 })
    expect(names(await list('?perPage=999999'))).toHaveLength(3)
  })

  test('each DAG has its newest run, or one without an id when it never ran', async () => {
    const runId = await api.start('beta')
    const page = await list('?name=beta')
    expect(page.dags[0]?.latestDAGRun).toMatchObject({ dagRunId: runId, name: 'beta', status: 0 })
    expect((await list('?name=gamma')).dags[0]?.latestDAGRun.dagRunId).toBe('')
  })
})

describe('200, in another order', () => {
  test('DAGs can be sorted by their next start in both directions, those without one last', async () => {
    await api.createDag('often', 'schedule: "* * * * *"\nsteps: [echo]\n')
    expect(names(await list('?sort=nextRun'))).toEqual(['often', 'gamma_1', 'Alpha', 'beta'])
    expect(names(await list('?sort=nextRun&order=desc'))).toEqual(['gamma_1', 'often', 'Alpha', 'beta'])
    expect(names(await list('?sort=name&order=desc'))).toEqual(['Alpha', 'often', 'gamma_1', 'beta'])
    expect((await list('?sort=name&order=desc&perPage=2&page=2')).dags).toHaveLength(2)
    await api.post('/dags/often/suspend', { suspend: true })
    expect(names(await list('?sort=nextRun'))[0]).toBe('gamma_1')
  })
})

describe('400 bad_request', () => {
  test('an unknown order', async () => {
    expect(await api.get('/dags?sort=size')).toMatchObject({ status: 400 })
  })

  test.each(['page=one', 'perPage=2.5'])('%s is not an integer', async (query) => {
    expect(await api.get(`/dags?${query}`)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})

describe('faults of files in the folder of DAGs', () => {
  test('are errors of the list, in full for callers who may edit', async () => {
    await ownDag(api.database.db, 'team/broken.yaml', 'steps: TOKEN=abc is not a list')
    const { body } = await api.get<{ errors: string[] }>('/dags')
    expect(body.errors).toEqual(['team/broken.yaml: steps: TOKEN=abc is not a list'])
    const key = 'sixteen-characters-of-an-admin'
    const guarded = api.with({ auth: { basic: undefined, token: key } })
    const made = await guarded.call<{ key: string }>('POST', '/api-keys', {
      body: { name: 'viewer', role: 'viewer' },
      headers: { authorization: `Bearer ${key}` },
    })
    const headers = { authorization: `Bearer ${made.body.key}` }
    const seen = await guarded.call<{ errors: string[] }>('GET', '/dags', { headers })
    expect(seen.body.errors).toEqual(['team/broken.yaml: the file is not stored; its editors see why'])
    expect(await api.get('/api/v1/dags')).toMatchObject({ body: { HasError: true, Errors: body.errors } })
    expect((await api.get('/metrics')).body).toContain('millrace_dag_file_faults 1')
  })
})
