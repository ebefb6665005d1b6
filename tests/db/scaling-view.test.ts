import { expect, test } from 'vitest'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { promoteQueues } from '#lib/queues/promote-queues.ts'
import { testDatabase } from '#tests/support/database.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { connect } from '#lib/db/client.ts'

const { db, url } = await testDatabase()

/** The startable and running runs for a runner with these labels. */
async function work(labels: Readonly<Record<string, string>> = {}): Promise<[number, number]> {
  const [row] = await db.sql<{ startable: number; running: number }[]>`
    select coalesce(sum(startable), 0)::int as startable, coalesce(sum(running), 0)::int as running
    from millrace.scaling_v1 where ${JSON.stringify(labels)}::text::jsonb @> labels`
  return [row?.startable ?? -1, row?.running ?? -1]
}

const claim = (count: number, labels = {}) =>
  claimRuns(db, { owner: 'a', labels, count, leaseMs: 30_000, known: {} })

async function finish(runs: readonly { readonly runKey: string; readonly token: string }[]): Promise<void> {
  const finish = { status: 'success', error: '' } as const
  await recordProgress(
    db,
    runs.map(({ runKey, token }) => ({ runKey, token, steps: [], finish })),
  )
}

test('runs count as startable, then as running, then not at all', async () => {
  expect(await work()).toEqual([0, 0])
  await createRuns(db, [runRequest(), runRequest(), runRequest()])
  expect(await work()).toEqual([3, 0])
  const runs = await claim(2)
  expect(await work()).toEqual([1, 2])
  await finish([...runs, ...(await claim(1))])
  expect(await work()).toEqual([0, 0])
})

test('only runs whose labels the runner has are counted', async () => {
  const [gpu, both] = [{ pool: 'gpu' }, { pool: 'gpu', zone: 'a' }]
  await createRuns(db, [runRequest(), runRequest({ labels: gpu }), runRequest({ labels: both })])
  expect([await work(), await work(gpu), await work(both)]).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
  ])
  await finish(await claim(3, both))
})

test('runs that wait in a full queue need no runner until the limit is raised', async () => {
  await db.sql`insert into millrace.queue (name, max_concurrency) values ('lane', 2)`
  const queued = Array.from({ length: 6 }, () => runRequest({ mode: 'enqueue', queue: 'lane' }))
  await createRuns(db, queued)
  expect(await work()).toEqual([2, 0])
  const first = await claim(2)
  expect(await work()).toEqual([0, 2])
  await db.sql`update millrace.queue set max_concurrency = 5 where name = 'lane'`
  expect(await work()).toEqual([3, 2])
  await promoteQueues(db, { limit: 100 })
  expect(await work()).toEqual([3, 2])
  await finish([...first, ...(await claim(9))])
  await finish(await claim(9))
})

test('a queue without a limit of its own has the limit of its next run', async () => {
  const queued = (maxActiveRuns: number) => runRequest({ mode: 'enqueue', queue: 'own', maxActiveRuns })
  await createRuns(db, [queued(1), queued(1), queued(9)])
  expect(await work()).toEqual([1, 0])
  await db.sql`update millrace.dag_run set max_active_runs = 2 where queue = 'own' and status = 'queued'`
  expect(await work()).toEqual([2, 0])
  for (let runs = await claim(9); runs.length > 0; runs = await claim(9)) await finish(runs)
})

test('a role with a right to the view alone can read it and nothing else', async () => {
  const name = `scaler_${new URL(url).pathname.slice(-8)}`
  await db.sql.unsafe(`
    create role ${name} login password 'scaler'; grant usage on schema millrace to ${name};
    grant select on millrace.scaling_v1 to ${name}`)
  const login = new URL(urlOf(url, new URL(url).pathname.slice(1)))
  login.username = name
  login.password = 'scaler'
  const scaler = connect(login.href, { max: 1, applicationName: 'millrace-tests' })
  try {
    expect(await scaler.sql`select * from millrace.scaling_v1`).toEqual([])
    await expect(scaler.sql`select * from millrace.dag_run`).rejects.toThrow('permission denied')
  } finally {
    await scaler.close()
    await db.sql.unsafe(`drop owned by ${name}; drop role ${name}`)
  }
})
