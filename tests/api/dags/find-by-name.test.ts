import { beforeAll, describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

/** A DAG is found by its file name or, when unambiguous, by its `name`. */
const api = await testApi()
const { get, post } = api
const spec = (name: string): string => `name: ${name}\nsteps: [{name: work, command: echo}]\n`

beforeAll(async () => {
  await api.createDag('a-file', spec('alone'))
  await api.createDag('twin-1', spec('twins'))
  await api.createDag('twin-2', spec('twins'))
  await api.createDag('other', spec('taken'))
  await api.createDag('taken', spec('elsewhere'))
})

describe('the only DAG with the name', () => {
  test('is shown, started, queued, suspended and stopped', async () => {
    expect((await get('/dags/alone')).body).toMatchObject({ dag: { name: 'alone' } })
    expect((await post('/dags/alone/start', { dagRunId: 'one' })).body).toEqual({ dagRunId: 'one' })
    expect((await post('/dags/alone/enqueue', { dagRunId: 'two' })).body).toEqual({ dagRunId: 'two' })
    expect((await get('/dags/alone/dag-runs/one')).body).toMatchObject({ dagRun: { name: 'alone' } })
    expect((await get('/dags/alone/dag-runs')).body).toMatchObject({
      dagRuns: [{ dagRunId: 'two' }, { dagRunId: 'one' }],
    })
    expect((await post('/dags/alone/suspend', { suspend: true })).status).toBe(200)
    expect((await get('/dags/a-file')).body).toMatchObject({ suspended: true })
    expect(await post('/dags/alone/stop-all')).toMatchObject({ status: 200, body: { errors: [] } })
  })

  test('starts runs that belong to its file, with that schedule and those limits', async () => {
    const [row] = await api.database.db.sql`select file_name from millrace.dag_run where run_id = 'one'`
    expect(row).toEqual({ file_name: 'a-file' })
  })

  test('is looked up by an index', async () => {
    const { db } = api.database
    await db.sql`
      insert into millrace.dag
        (file_name, dag_name, definition_hash, summary, tags, group_name, problems, max_active_runs)
      select 'many-' || n, 'many-' || n, definition_hash, summary, tags, group_name, problems, max_active_runs
      from generate_series(1, 3000) n, millrace.dag where file_name = 'a-file'`
    await db.sql`analyze millrace.dag`
    const plan = await db.sql<{ 'QUERY PLAN': string }[]>`
      explain select * from millrace.dag where dag_name = 'alone' order by file_name limit 2`
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index.*dag_name_idx/)
    expect((await get('/dags/alone')).status).toBe(200)
  })
})

test('a file of that name comes first', async () => {
  expect((await get('/dags/taken')).body).toMatchObject({ dag: { name: 'elsewhere' } })
})

describe('404 not_found', () => {
  test.each([
    ['GET', '/dags/twins'],
    ['POST', '/dags/twins/start'],
    ['POST', '/dags/twins/suspend'],
    ['DELETE', '/dags/twins'],
  ] as const)('several DAGs with the name: the answer to %s %s names their files', async (method, path) => {
    const { status, body } = await api.call<{ message: string }>(method, path, {})
    expect(status).toBe(404)
    expect(body.message).toBe('several DAGs have the name "twins": name the file, such as twin-1 or twin-2')
  })

  test.each([
    ['GET', '/dags/alone/spec', undefined],
    ['PUT', '/dags/alone/spec', { spec: 'steps: [echo]' }],
    ['POST', '/dags/alone/rename', { newFileName: 'new' }],
    ['DELETE', '/dags/alone', undefined],
  ] as const)('a call about the text of a file by another name: %s %s', async (method, path, sent) => {
    const { status, body } = await api.call<{ message: string }>(method, path, { body: sent })
    expect(status).toBe(404)
    expect(body.message).toBe('file "alone" not found; the DAG "alone" is in a-file')
    expect((await get('/dags/a-file')).status).toBe(200)
  })
})
