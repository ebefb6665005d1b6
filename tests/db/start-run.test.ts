import { describe, expect, test } from 'vitest'
import { rebaseDags } from '#lib/dags/rebase-dags.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const startBySql = async (file: string, params: string | null = null, id: string | null = null) =>
  (await db.sql<{ id: string }[]>`select millrace.start_run(${file}, ${params}, ${id}) as id`)[0]?.id
const stored = async (id: string | undefined) => {
  const [row] = await db.sql`
    select labels, hist_retention_days as days, queue, max_active_runs as most, params_given as params, status
    from millrace.dag_run where run_id = ${id ?? ''}`
  return row
}
const spec = `workerSelector: {gpu: "yes"}
histRetentionDays: 7
maxActiveRuns: 3
queue: night
params: DAY=monday
steps:
  - echo $DAY
`

describe('millrace.start_run', () => {
  test('creates the same run as a call of the API', async () => {
    await api.createDag('nightly', spec)
    const id = await startBySql('nightly', 'DAY=friday')
    await api.post('/dags/nightly/start', { dagRunId: 'called', params: 'DAY=friday' })
    expect(await stored(id)).toEqual({
      labels: { gpu: 'yes' },
      days: 7,
      queue: 'night',
      most: 3,
      params: 'DAY=friday',
      status: 'not_started',
    })
    expect(await stored(id)).toEqual(await stored('called'))
  })

  test('names the role of the database as the trigger', async () => {
    await api.createDag('by-role')
    const id = await startBySql('by-role')
    const [{ role } = { role: '' }] = await db.sql<{ role: string }[]>`select session_user::text as role`
    const { body } = await api.get<{ dagRuns: object[] }>('/dag-runs/by-role')
    expect(body.dagRuns).toMatchObject([{ dagRunId: id, triggeredBy: role }])
  })

  test('uses the settings of files from earlier versions, which the service completes when it starts', async () => {
    await api.createDag('older', spec)
    await db.sql`update millrace.dag set run_settings = '{}' where file_name = 'older'`
    await rebaseDags(db, { zone: 'UTC' })
    expect(await stored(await startBySql('older'))).toMatchObject({ labels: { gpu: 'yes' }, days: 7 })
    await api.call('PUT', '/dags/older/spec', { body: { spec: spec.replace('7', '8') } })
    expect(await stored(await startBySql('older'))).toMatchObject({ days: 8 })
  })

  test('counts for the history limit of the DAG', async () => {
    await api.createDag('counted', 'histRetentionRuns: 3\nsteps:\n  - echo\n')
    await startBySql('counted')
    expect(await db.sql`select keep from millrace.history_trim where dag_name = 'counted'`).toEqual([
      { keep: 3 },
    ])
  })

  test('fails for an unknown file and for an id in use, and names it', async () => {
    await expect(startBySql('nothing')).rejects.toThrow('DAG "nothing" not found')
    await startBySql('nightly', null, 'twice')
    await expect(startBySql('nightly', null, 'twice')).rejects.toThrow(
      'run "twice" of DAG "nightly" already exists',
    )
  })
})
