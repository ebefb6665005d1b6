import { expect, test } from 'vitest'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { forgetQueues } from '#lib/queues/forget-queues.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { open } = await testDatabase()
const db = open({ max: 12 })

const enqueue = async (queue: string, changes: object = {}) =>
  await createRuns(db, [runRequest({ mode: 'enqueue', queue, maxActiveRuns: 5, ...changes })])
const forget = () => forgetQueues(db, { limit: 100 })
const queues = async () =>
  (await db.sql<{ name: string }[]>`select name from millrace.queue order by name`).map(({ name }) => name)

async function endAll(): Promise<void> {
  for (;;) {
    const runs = await claimRuns(db, { owner: 'a', labels: {}, count: 100, leaseMs: 30_000, known: {} })
    if (runs.length === 0) return
    const finish = { status: 'success', error: '' } as const
    await recordProgress(
      db,
      runs.map(({ runKey, token }) => ({ runKey, token, steps: [], finish })),
    )
  }
}

test('a queue stays while a setting, a DAG or a live run names it', async () => {
  await configureQueues(db, [{ name: 'set', maxConcurrency: 2 }])
  await db.sql`insert into millrace.definition (hash, spec) values ('hash', 'steps: []')`
  await db.sql`
    insert into millrace.dag (file_name, dag_name, definition_hash, summary, queue, max_active_runs, run_settings)
    values ('named', 'inside', 'hash', '{}', 'shared', 1, '{}')`
  for (const queue of ['inside', 'shared', 'set', 'active', 'over']) await enqueue(queue)
  await enqueue('guest', { homeQueue: 'home' })
  await db.sql`update millrace.queue set max_concurrency = null where name <> 'set'`
  expect(await forget()).toBe(0)
  await endAll()
  await enqueue('active')
  expect(await forget()).toBe(3)
  expect(await queues()).toEqual(['active', 'inside', 'set', 'shared'])
  await configureQueues(db, [])
  await endAll()
  await forget()
  expect(await queues()).toEqual(['inside', 'shared'])
})

test('no queue is removed while a run is being enqueued, and its queue still exists afterwards', async () => {
  await db.sql`insert into millrace.queue (name) values ('racing'), ('idle')`
  const other = open({ max: 1 })
  await other.sql`begin`
  await createRuns(other, [runRequest({ mode: 'enqueue', queue: 'racing' })])
  expect(await forget()).toBe(0)
  await other.sql`commit`
  expect(await forget()).toBe(1)
  expect(await queues()).toContain('racing')
  await endAll()
})

test('queues that are created and removed under load never lose a run', async () => {
  const names = Array.from({ length: 6 }, (_, number) => `busy-${number}`)
  let isOver = false
  let gone = 0
  const forgetting = Array.from({ length: 2 }, async () => {
    while (!isOver) gone += await forget()
  })
  const ending = (async () => {
    while (!isOver) await endAll()
  })()
  for (let round = 0; round < 40 || (gone === 0 && round < 2_000); round++)
    await Promise.all(names.map((queue) => enqueue(queue, { dagName: queue, fileName: queue })))
  isOver = true
  await Promise.all([...forgetting, ending])
  expect(gone).toBeGreaterThan(0)
  expect(
    await db.sql`
      select r.queue from millrace.dag_run r
      where r.status = 'queued' and not exists (select from millrace.queue q where q.name = r.queue)`,
  ).toEqual([])
  await endAll()
  expect(await db.sql`select status from millrace.dag_run where finished_at is null`).toEqual([])
}, 60_000)
