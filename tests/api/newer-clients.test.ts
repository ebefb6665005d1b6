import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

/** What clients of Dagu 1.22 to 1.30 read beside the documented fields. */
const api = await testApi()
await api.createDag(
  'top',
  'steps:\n  - {name: each, call: kid, parallel: {items: [b, a], maxConcurrent: 3}}\n---\nname: kid\nsteps: [echo]\n',
)
interface Details {
  readonly dagRun: { readonly nodes: readonly Record<string, unknown>[] }
}

describe('steps and their children', () => {
  test('name the call, its items and its runs', async () => {
    const root = await api.start('top')
    await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'each', document: 'kid' })
    const { body } = await api.get<Details>(`/dag-runs/top/${root}`)
    expect(body.dagRun.nodes[0]).toMatchObject({
      step: { run: 'kid', call: 'kid', parallel: { items: ['b', 'a'], maxConcurrent: 3 } },
      children: [{ dagRunId: 'k1' }],
      subRuns: [{ dagRunId: 'k1' }],
      subRunsRepeated: [],
    })
    expect((await api.get('/dags/top/dag-runs')).body).toMatchObject({
      dagRuns: [{ dagRunId: root, nodes: [{ step: { name: 'each' } }] }],
    })
  })
})

describe('params', () => {
  test.each([
    [{ A: 1, B: 'two words' }, 'A=1 B=two words'],
    [['x', 2], '1=x 2=2'],
  ])('may be JSON itself: %j', async (params, shown) => {
    await api.createDag(`given-${shown.length}`)
    const { body } = await api.post<{ dagRunId: string }>(`/dags/given-${shown.length}/start`, { params })
    expect((await api.get(`/dag-runs/given-${shown.length}/${body.dagRunId}`)).body).toMatchObject({
      dagRun: { params: shown },
    })
  })
})

describe('the trigger of a run', () => {
  test('has the names that newer clients know', async () => {
    await api.createDag('made')
    const kinds = { api: 'manual', sql: 'manual', schedule: 'scheduler', child: 'subdag', retry: 'retry' }
    for (const [kind, word] of Object.entries(kinds)) {
      await api.start('made', { dagRunId: kind })
      await api.database.db.sql`update millrace.dag_run set trigger_type = ${kind} where run_id = ${kind}`
      expect((await api.get(`/dag-runs/made/${kind}`)).body).toMatchObject({ dagRun: { triggerType: word } })
    }
    await api.createDag('never')
    expect((await api.get('/dags/never')).body).toMatchObject({ latestDAGRun: { triggerType: 'unknown' } })
  })
})

describe('labels', () => {
  test('are the documented ones, or with a setting those of 1.23 with a code for partial success', async () => {
    await api.createDag('words', 'steps: [{name: a, command: echo}, {name: b, command: echo}]\n')
    const run = await api.start('words', { dagRunId: 'r' })
    await api.finish(run, 'partial_success', { a: 'success', b: 'success' })
    await api.database.db.sql`update millrace.dag_run_step set tolerated = true where name = 'b'`
    const later = api.with({ labels: '1.23' })
    const documented = (await api.get<Details>('/dag-runs/words/r')).body.dagRun
    expect(documented).toMatchObject({
      statusLabel: 'partial success',
      nodes: [
        { status: 4, statusLabel: 'finished' },
        { status: 4, statusLabel: 'finished' },
      ],
    })
    expect((await later.get<Details>('/dag-runs/words/r')).body.dagRun).toMatchObject({
      status: 6,
      statusLabel: 'partially_succeeded',
      nodes: [
        { status: 4, statusLabel: 'succeeded' },
        { status: 6, statusLabel: 'partially_succeeded' },
      ],
    })
  })
})

describe('the labels of 1.23', () => {
  const later = api.with({ labels: '1.23' })

  test('leave out the errors of a save without faults', async () => {
    await api.createDag('saved')
    const save = (caller: Pick<typeof api, 'call'>, spec: string) =>
      caller.call('PUT', '/dags/saved/spec', { body: { spec } })
    const sound = 'steps: [echo]\n'
    expect((await save(later, sound)).body).toEqual({ problems: [], warnings: [] })
    expect((await save(api, sound)).body).toEqual({ errors: [], problems: [], warnings: [] })
    expect((await save(later, 'steps: [{bogus: 1}]\n')).body).toMatchObject({
      errors: [expect.stringContaining('bogus')],
    })
  })

  test('leave out a maxActiveSteps of 0', async () => {
    await api.createDag('unlimited')
    await api.createDag('limited', 'maxActiveSteps: 2\nsteps: [echo]\n')
    const limit = async (caller: Pick<typeof api, 'get'>, path: string) =>
      (await caller.get<{ dag: { maxActiveSteps?: number } }>(path)).body.dag.maxActiveSteps
    for (const end of ['', '/spec']) {
      expect(await limit(later, `/dags/unlimited${end}`)).toBeUndefined()
      expect(await limit(later, `/dags/limited${end}`)).toBe(2)
      expect(await limit(api, `/dags/unlimited${end}`)).toBe(0)
    }
  })

  test('call a queue of the settings global', async () => {
    await api.database.db.sql`insert into millrace.queue (name, max_concurrency) values ('shared', 2)`
    const type = async (caller: Pick<typeof api, 'get'>) =>
      (await caller.get<{ queues: { name: string; type: string }[] }>('/queues')).body.queues.find(
        ({ name }) => name === 'shared',
      )?.type
    expect([await type(later), await type(api)]).toEqual(['global', 'custom'])
  })
})

test('a filter by a status of later versions finds no runs', async () => {
  for (const status of [7, 8]) {
    expect(await api.get(`/dag-runs?status=${status}`)).toMatchObject({ status: 200, body: { dagRuns: [] } })
  }
  expect((await api.get('/dag-runs?status=9')).status).toBe(400)
})
