import { describe, expect, test } from 'vitest'
import { setDraining } from '#lib/workers/set-draining.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
type Worker = { id: string; health_status: string; healthStatus: string; running_tasks: unknown[] }
const workers = async () => (await api.get<{ workers: Worker[] }>('/workers')).body.workers

describe('200', () => {
  test('without runners the list is empty', async () => {
    expect(await workers()).toEqual([])
  })

  test('a runner is listed with its labels and its runs', async () => {
    await api.createDag('top', 'steps:\n  - {name: call, run: kid}\n---\nname: kid\nsteps:\n  - echo 1\n')
    const root = await api.start('top')
    await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
    await api.claim()
    await api.heartbeat({ region: 'eu' })
    expect(await workers()).toEqual([
      {
        id: 'test-runner',
        labels: { region: 'eu' },
        health_status: 'WORKER_HEALTH_STATUS_HEALTHY',
        draining: false,
        last_heartbeat: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        running_tasks: [
          {
            dagName: 'top',
            dagRunId: root,
            rootDagRunName: 'top',
            rootDagRunId: root,
            parentDagRunName: '',
            parentDagRunId: '',
            startedAt: expect.any(String),
          },
          expect.objectContaining({
            dagName: 'kid',
            rootDagRunName: 'top',
            parentDagRunName: 'top',
            parentDagRunId: root,
          }),
        ],
        healthStatus: 'healthy',
        lastHeartbeatAt: expect.stringMatching(/^20/),
        runningTasks: [
          expect.objectContaining({ dagRunId: root }),
          expect.objectContaining({ dagName: 'kid' }),
        ],
        totalPollers: expect.any(Number),
        busyPollers: 2,
        host: 'here',
        startedAt: expect.stringMatching(/^20/),
        slots: 8,
        used: 2,
      },
    ])
  })

  test.each([
    [4, 'WORKER_HEALTH_STATUS_HEALTHY', 'healthy'],
    [6, 'WORKER_HEALTH_STATUS_WARNING', 'warning'],
    [16, 'WORKER_HEALTH_STATUS_UNHEALTHY', 'unhealthy'],
  ])('a heartbeat %i seconds ago means %s', async (age, health_status, healthStatus) => {
    await api.database.db.sql`update millrace.worker set heartbeat_at = now() - make_interval(secs => ${age})`
    expect((await workers())[0]).toMatchObject({ health_status, healthStatus })
  })
})

describe('200 with a runner that is shutting down', () => {
  test('the runner is shown as draining, even after a later heartbeat', async () => {
    await api.heartbeat({ region: 'eu' }, true)
    await api.heartbeat({ region: 'eu' })
    expect(await workers()).toEqual([expect.objectContaining({ id: 'test-runner', draining: true })])
  })
})

describe('200 with unserved=true', () => {
  interface Answer {
    readonly unservedDags?: {
      readonly total: number
      readonly dags: readonly { readonly fileName: string; readonly labels: object }[]
    }
  }
  const unserved = async () => (await api.get<Answer>('/workers?unserved=true')).body.unservedDags

  test('only DAGs whose labels no live runner has are listed', async () => {
    await api.database.db.sql`delete from millrace.worker`
    await api.createDag('heavy', 'workerSelector: {gpu: "yes"}\nsteps:\n  - echo 1\n')
    await api.createDag('eu', 'workerSelector: {region: eu}\nsteps:\n  - echo 1\n')
    await api.heartbeat({ region: 'eu' })
    expect(await unserved()).toEqual({
      total: 1,
      dags: [{ fileName: 'heavy', name: 'heavy', labels: { gpu: 'yes' } }],
    })
  })

  test('draining and silent runners serve no DAG', async () => {
    await setDraining(api.database.db, { id: 'test-runner', draining: true, by: '' })
    expect(await unserved()).toMatchObject({ total: 3 })
    await setDraining(api.database.db, { id: 'test-runner', draining: false, by: '' })
    expect(await unserved()).toMatchObject({ total: 1 })
    await api.database.db.sql`update millrace.worker set heartbeat_at = now() - interval '1 minute'`
    expect(await unserved()).toMatchObject({ total: 3 })
  })

  test('the field is left out otherwise', async () => {
    expect((await api.get<Answer>('/workers')).body.unservedDags).toBeUndefined()
  })
})

describe('400 bad_request', () => {
  test('a value other than true and false', async () => {
    expect(await api.get('/workers?unserved=1')).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })
})

describe('503 service_unavailable', () => {
  test('a service without its database', async () => {
    const lost = api.database.open({ max: 1 })
    await lost.close()
    const answer = await api.with({ db: lost }).get('/workers')
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  })
})
