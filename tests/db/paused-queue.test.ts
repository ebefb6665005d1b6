import { afterEach, expect, test } from 'vitest'
import { controlQueue, type QueueChange } from '#lib/queues/control-queue.ts'
import { forgetQueues } from '#lib/queues/forget-queues.ts'
import { promoteQueues } from '#lib/queues/promote-queues.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { createRuns, type CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { until } from '#tests/support/until.ts'

const { open } = await testDatabase()
const db = open({ max: 16 })

const patient = { everyMs: 1, withinMs: 60_000 }
const control = (change: QueueChange) => controlQueue(db, 'lane', { ...change, by: 'ann' })
const make = (count: number, changes: Partial<CreateRunRequest> = {}) =>
  createRuns(
    db,
    Array.from({ length: count }, () => runRequest({ mode: 'enqueue', queue: 'lane', ...changes })),
  )
const claim = (count: number, owner = 'a') =>
  claimRuns(db, { owner, labels: {}, count, leaseMs: 600_000, known: {} })
const end = (runs: readonly { readonly runKey: string; readonly token: string }[]) =>
  recordProgress(
    db,
    runs.map(({ runKey, token }) => ({ runKey, token, steps: [], finish: { status: 'success', error: '' } })),
  )
/** How many unfinished runs of the queue are in each status. */
async function counts(): Promise<Record<string, number>> {
  const rows = await db.sql<{ status: string; runs: number }[]>`
    select status, count(*)::int as runs from millrace.dag_run
    where queue = 'lane' and finished_at is null group by status`
  return Object.fromEntries(rows.map(({ status, runs }) => [status, runs]))
}

afterEach(async () => {
  await db.sql`delete from millrace.dag_run`
  await db.sql`delete from millrace.queue`
})

test('a pause takes back unclaimed runs, and resuming promotes them in the same order', async () => {
  await configureQueues(db, [{ name: 'lane', maxConcurrency: 3 }])
  const made = await make(5)
  const [running] = await claim(1)
  await control({ paused: true })
  expect(await counts()).toEqual({ running: 1, queued: 4 })
  expect(await claim(9)).toEqual([])
  await control({ paused: false })
  expect(await counts()).toEqual({ running: 1, not_started: 2, queued: 2 })
  const keys = (await claim(9)).map(({ runKey }) => runKey)
  expect([running?.runKey, ...keys]).toEqual(made.slice(0, 3).map(({ runKey }) => runKey))
})

test('a paused queue promotes nothing after a new run, an end, a tick or a higher limit', async () => {
  await configureQueues(db, [{ name: 'lane', maxConcurrency: 1 }])
  await make(3)
  const runs = await claim(1)
  await control({ paused: true })
  await make(1)
  await end(runs)
  await promoteQueues(db, { limit: 100 })
  await control({ limit: 5 })
  expect(await counts()).toEqual({ queued: 3 })
  expect(await db.sql`select * from millrace.scaling_v1`).toEqual([])
})

test('a started run bypasses a paused queue, as it bypasses a full one', async () => {
  await configureQueues(db, [{ name: 'lane', maxConcurrency: 1 }])
  await control({ paused: true })
  await make(1, { mode: 'start' })
  expect(await claim(9)).toHaveLength(1)
})

test('a queue shows who paused it first, and is not removed while it is paused', async () => {
  await make(1)
  await control({ paused: true })
  await controlQueue(db, 'lane', { paused: true, by: 'bob' })
  expect(await db.sql`select paused_by, paused_at < clock_timestamp() as since from millrace.queue`).toEqual([
    { paused_by: 'ann', since: true },
  ])
  await db.sql`delete from millrace.dag_run`
  expect(await forgetQueues(db, { limit: 10 })).toBe(0)
  await control({ paused: false })
  expect(await forgetQueues(db, { limit: 10 })).toBe(1)
})

test('a limit overrides that of the settings until it is cleared, even if the settings change', async () => {
  await configureQueues(db, [{ name: 'lane', maxConcurrency: 1 }])
  await make(6)
  expect(await counts()).toEqual({ not_started: 1, queued: 5 })
  await control({ limit: 3 })
  expect(await counts()).toEqual({ not_started: 3, queued: 3 })
  await configureQueues(db, [{ name: 'lane', maxConcurrency: 5 }])
  await promoteQueues(db, { limit: 10 })
  expect(await counts()).toEqual({ not_started: 3, queued: 3 })
  await control({ limit: null })
  expect(await counts()).toEqual({ not_started: 5, queued: 1 })
})

test('a limit below the number of active runs ends none of them and promotes no others', async () => {
  await configureQueues(db, [{ name: 'lane', maxConcurrency: 4 }])
  await make(6)
  const runs = await claim(4)
  await control({ limit: 2 })
  const violations = () => db.sql`select * from millrace.check_invariants()`
  expect(await violations()).toEqual([])
  await end(runs.slice(0, 2))
  expect(await counts()).toEqual({ running: 2, queued: 2 })
  await end(runs.slice(2, 3))
  expect(await counts()).toEqual({ running: 1, not_started: 1, queued: 1 })
  expect(await violations()).toEqual([])
  await db.sql`
    update millrace.dag_run set status = 'not_started', ready_at = now(), queued_at = clock_timestamp()
    where status = 'queued'`
  expect(await violations()).toMatchObject([{ invariant: 'a custom queue never runs more than its limit' }])
})

test('the queue of a DAG may be limited before its first run', async () => {
  await db.sql`insert into millrace.definition (hash, spec) values ('hash', 'steps: []') on conflict do nothing`
  await db.sql`
    insert into millrace.dag (file_name, dag_name, definition_hash, summary)
    values ('lane', 'lane', 'hash', '{}')`
  await control({ limit: 2 })
  await make(3, { maxActiveRuns: 1 })
  expect(await counts()).toEqual({ not_started: 2, queued: 1 })
  await db.sql`delete from millrace.dag`
})

test('an unknown queue is not found and not created', async () => {
  await expect(control({ paused: true })).rejects.toThrow('queue "lane" not found')
  expect(await db.sql`select name from millrace.queue`).toEqual([])
})

test('a pause while runners claim starts nothing afterwards and loses no run', async () => {
  const total = 300
  await configureQueues(db, [{ name: 'lane', maxConcurrency: 12 }])
  await make(total)
  let [ended, rounds] = [0, 0]
  const works = Array.from({ length: 6 }, async (_, index) => {
    while (ended < total) {
      const runs = await claim(3, `runner-${index}`)
      await end(runs)
      ended += runs.length
      rounds += 1
    }
  })
  let pauses = 0
  while (ended < total) {
    await control({ paused: true })
    const [{ at } = { at: '' }] = await db.sql<{ at: string }[]>`select clock_timestamp()::text as at`
    const before = rounds
    await until('every runner has claimed again', () => ended >= total || rounds >= before + 12, patient)
    expect(await db.sql`select run_key from millrace.dag_run where started_at > ${at}::timestamptz`).toEqual(
      [],
    )
    expect(await db.sql`select * from millrace.check_invariants()`).toEqual([])
    await control({ paused: false })
    pauses += 1
    const then = ended
    await until('some have ended', () => ended >= total || ended >= then + 20, patient)
  }
  await Promise.all(works)
  expect(pauses).toBeGreaterThan(5)
  expect(await db.sql`select status, count(*)::int as runs from millrace.dag_run group by 1`).toEqual([
    { status: 'success', runs: total },
  ])
}, 120_000)
