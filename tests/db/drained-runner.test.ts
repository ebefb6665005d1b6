import { afterEach, expect, test } from 'vitest'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { renewLeases } from '#lib/runs/claim/renew-leases.ts'
import { takeOverLostRuns } from '#lib/runs/claim/take-over-lost-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { forgetWorker } from '#lib/workers/forget-worker.ts'
import { listWorkers } from '#lib/workers/list-workers.ts'
import { setDraining } from '#lib/workers/set-draining.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { until } from '#tests/support/until.ts'

const { open } = await testDatabase()
const db = open({ max: 12 })

const make = (count: number) =>
  createRuns(
    db,
    Array.from({ length: count }, () => runRequest()),
  )
const claim = (owner: string, count = 1, labels = {}) =>
  claimRuns(db, { owner, labels, count, leaseMs: 600_000, known: {} })
const beat = (owner: string, draining = false) =>
  renewLeases(db, {
    owner,
    claims: [],
    leaseMs: 600_000,
    worker: { labels: {}, slots: 2, host: 'here', pid: 1, draining },
  })
const patient = { everyMs: 1, withinMs: 60_000 }
const drain = (id: string, draining = true) => setDraining(db, { id, draining, by: 'ann' })

afterEach(async () => {
  await db.sql`delete from millrace.dag_run`
  await db.sql`delete from millrace.worker`
})

test.each([
  ['without labels', {}],
  ['with labels', { pool: 'big' }],
])('a drained runner %s claims nothing until it is resumed, and others continue', async (_what, labels) => {
  await make(3)
  await beat('a')
  await drain('a')
  expect(await claim('a', 9, labels)).toEqual([])
  expect(await claim('b', 1, labels)).toHaveLength(1)
  await beat('a')
  expect(await claim('a', 9, labels)).toEqual([])
  await drain('a', false)
  expect(await claim('a', 9, labels)).toHaveLength(2)
})

test('a drained runner finishes its run', async () => {
  await make(2)
  await beat('a')
  const [run] = await claim('a')
  await drain('a')
  const { runKey = '', token = '' } = run ?? {}
  const item = { runKey, token, steps: [], finish: { status: 'success', error: '' } } as const
  expect(await recordProgress(db, [item])).toEqual({ lost: [] })
  expect(await listWorkers(db)).toMatchObject([{ id: 'a', isDraining: true, drainedBy: 'ann', tasks: [] }])
})

test('a drained runner that dies leaves its run to others, and stays listed until it is forgotten', async () => {
  await make(1)
  await beat('a')
  await claim('a')
  await drain('a')
  await db.sql`update millrace.dag_run set lease_until = clock_timestamp() - interval '1 second'`
  await takeOverLostRuns(db, { limit: 10, leaseMs: 0 })
  expect(await claim('a')).toEqual([])
  expect(await claim('b')).toHaveLength(1)
  expect(await db.sql`select * from millrace.check_invariants()`).toEqual([])
  await forgetWorker(db, 'a')
  expect(await listWorkers(db)).toEqual([])
})

test('a runner that is shutting down stays draining, even if it is resumed', async () => {
  await beat('a', true)
  await drain('a', false)
  await beat('a', true)
  expect(await listWorkers(db)).toMatchObject([{ isDraining: true, drainedBy: null }])
})

test('an unknown runner is not found', async () => {
  await expect(drain('ghost')).rejects.toThrow('runner "ghost" not found')
})

test('a run that a drained runner has started violates an invariant', async () => {
  await make(1)
  await beat('a')
  await claim('a')
  await drain('a')
  await db.sql`update millrace.worker set draining_at = draining_at - interval '1 minute'`
  expect(await db.sql`select * from millrace.check_invariants()`).toMatchObject([
    { invariant: 'a drained runner begins nothing' },
  ])
  await drain('a', false)
})

test('a runner that is drained while it claims starts nothing afterwards, and others start everything', async () => {
  const total = 200
  await make(total)
  for (const owner of ['a', 'b']) await beat(owner)
  let [ended, rounds] = [0, 0]
  const claims = [0, 0, 0, 0]
  const works = ['a', 'a', 'b', 'b'].map(async (owner, worker) => {
    while (ended < total) {
      const runs = await claim(owner, 2)
      claims[worker] = (claims[worker] ?? 0) + 1
      await recordProgress(
        db,
        runs.map(({ runKey, token }) => ({
          runKey,
          token,
          steps: [],
          // The error shows afterwards which runner it was.
          finish: { status: 'success', error: owner },
        })),
      )
      ended += runs.length
      rounds += 1
    }
  })
  while (ended < total) {
    await drain('a')
    // A claim that was sent before the drain may still begin runs.
    const sent = [...claims]
    const isOver = (): boolean => claims.every((count, worker) => count > (sent[worker] ?? 0))
    await until('no claim is older than the drain', () => ended >= total || isOver(), patient)
    const [{ at } = { at: '' }] = await db.sql<{ at: string }[]>`select clock_timestamp()::text as at`
    const before = rounds
    await until('all have claimed again', () => ended >= total || rounds >= before + 12, patient)
    expect(
      await db.sql`
        select run_key from millrace.dag_run
        where started_at > ${at}::timestamptz and (lease_owner = 'a' or error = 'a')`,
    ).toEqual([])
    await drain('a', false)
  }
  await Promise.all(works)
  expect(await db.sql`select count(*)::int as runs from millrace.dag_run where status = 'success'`).toEqual([
    { runs: total },
  ])
}, 120_000)
