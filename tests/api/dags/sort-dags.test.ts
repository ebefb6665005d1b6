import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'
import { rewriteRuns } from '#tests/support/rewrite-runs.ts'

const api = await testApi()
const steps = 'steps:\n  - {name: work, command: a}\n'
await api.createDag('idle', `group: ops\n${steps}`)
await api.createDag('broken', `tags: [Night]\nschedule: "0 5 * * *"\n${steps}`)
await api.createDag(
  'sound',
  `name: renamed\ntags: [day]\ngroup: ops\nschedule: "CRON_TZ=Asia/Tokyo 0 4 * * *"\n${steps}`,
)
await api.createDag('busy', steps)
for (const [name, end, took] of [
  ['sound', 'success', 9],
  ['broken', 'failed', 4],
] as const) {
  const run = await api.start(name)
  await api.finish(run, end)
  await rewriteRuns(api.database.db, `started_at = finished_at - interval '${took} hours'`, run)
}
await api.start('busy')
await api.claim()

interface Item {
  readonly fileName: string
  readonly nextRun: string
  readonly nextRunAt?: string
  readonly nextRunZone?: string
  readonly updatedAt: string
  readonly source: string
}
const list = async (query: string) =>
  (await api.get<{ dags: Item[]; pagination: { totalRecords: number } }>(`/dags${query}`)).body
const names = async (query: string) => (await list(query)).dags.map(({ fileName }) => fileName)

describe('200', () => {
  test.each([
    ['state', ['broken', 'busy', 'sound', 'idle']],
    ['state&order=desc', ['idle', 'sound', 'busy', 'broken']],
    ['last', ['sound', 'broken', 'busy', 'idle']],
    ['last&order=desc', ['busy', 'broken', 'sound', 'idle']],
    ['duration&order=desc', ['sound', 'broken', 'busy', 'idle']],
    ['name&order=desc', ['sound', 'idle', 'busy', 'broken']],
  ])('sort=%s puts DAGs without a value last', async (sort, expected) => {
    expect(await names(`?sort=${sort}`)).toEqual(expected)
    const pages = await Promise.all([1, 2, 3, 4].map((page) => names(`?sort=${sort}&perPage=1&page=${page}`)))
    expect(pages.flat()).toEqual(expected)
  })

  test('sort=next sorts by time, whatever the zone', async () => {
    const { dags } = await list('?sort=next')
    const times = dags.map(({ nextRun }) => nextRun)
    expect(times.slice(0, 2)).toEqual(times.slice(0, 2).toSorted())
    expect(times.slice(2)).toEqual(['', ''])
    expect(await names('?sort=nextRun')).toEqual(dags.map(({ fileName }) => fileName))
  })

  test.each([
    ['?state=failed', ['broken']],
    ['?state=running,never', ['busy', 'idle']],
    ['?state=4', ['sound']],
    ['?state=7', []],
    ['?state=failed&sort=last', ['broken']],
    ['?group=ops', ['idle', 'sound']],
    ['?group=op', []],
    ['?q=ops', ['idle', 'sound']],
    ['?q=REN', ['sound']],
    ['?q=ops%20day', ['sound']],
    ['?q=night', ['broken']],
    ['?q=%25', []],
    ['?suspended=true', []],
    ['?suspended=false&group=ops', ['idle', 'sound']],
    ['?errors=true', []],
  ])('the filter %s', async (query, expected) => {
    const { dags, pagination } = await list(query)
    expect(dags.map(({ fileName }) => fileName)).toEqual(expected)
    expect(pagination.totalRecords).toBe(expected.length)
  })

  test('each DAG has its next start with the zone, when it was saved, and its source', async () => {
    const { dags } = await list('?q=sound')
    expect(dags[0]).toMatchObject({
      nextRunAt: dags[0]?.nextRun,
      nextRunZone: 'Asia/Tokyo',
      updatedAt: expect.stringMatching(/^20.*Z$/) as string,
      source: 'database',
    })
    expect((await list('?q=broken')).dags[0]?.nextRunZone).toBe('UTC')
    expect((await list('?q=idle')).dags[0]).not.toHaveProperty('nextRunAt')
  })

  test('a suspended DAG has no next start and comes last', async () => {
    await api.post('/dags/sound/suspend', { suspend: true })
    expect((await list('?suspended=true')).dags).toMatchObject([{ fileName: 'sound', nextRun: '' }])
    expect((await names('?sort=next'))[0]).toBe('broken')
    await api.post('/dags/sound/suspend', { suspend: false })
  })

  test('a file of the folder of DAGs is named as the source', async () => {
    const { sql } = api.database.db
    await sql`insert into millrace.dag_folder (folder, holder, held_until, read_at) values ('f', 'h', now(), now())`
    await sql`insert into millrace.dag_file (path, file_name) values ('idle.yaml', 'idle')`
    expect((await list('?q=idle')).dags).toMatchObject([{ source: 'folder' }])
    await sql`delete from millrace.dag_file`
  })
})

describe('400 bad_request', () => {
  test.each(['?sort=size', '?state=sleepy', '?state=failed,', '?suspended=maybe', '?order=up'])(
    'the query %s',
    async (query) => expect((await api.get(`/dags${query}`)).status).toBe(400),
  )
})
