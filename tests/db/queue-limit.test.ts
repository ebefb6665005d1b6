import { expect, test } from 'vitest'
import { promoteQueues } from '#lib/queues/promote-queues.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { dequeueRun } from '#lib/runs/stop/dequeue-run.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { seeded } from '#tests/chaos/random.ts'
import { testDatabase } from '#tests/support/database.ts'
import { promoteAtOnce } from '#tests/support/promotions.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { open } = await testDatabase()
const db = open({ max: 24 })

/** Claims and ends runs until `total` have ended. */
async function work(total: number): Promise<void> {
  for (let ended = 0; ended < total;) {
    const runs = await claimRuns(db, { owner: 'a', labels: {}, count: 3, leaseMs: 30_000, known: {} })
    await recordProgress(
      db,
      runs.map(({ runKey, token }) => ({
        runKey,
        token,
        steps: [],
        finish: { status: 'success', error: '' },
      })),
    )
    ended += runs.length
  }
}

test('sixteen concurrent promoters never exceed the limit of a queue, while it rises and falls', async () => {
  const seen = await promoteAtOnce(db, { count: 400, open: () => open({ max: 1 }), random: seeded(3) })
  expect(seen).toMatchObject({ promoted: 400, over: [] })
  expect(seen.limitChanges).toBeGreaterThan(0)
}, 60_000)

test('a changed limit applies from the next promotion on', async () => {
  await db.sql`insert into millrace.queue (name, max_concurrency) values ('lane', 3)`
  await createRuns(
    db,
    Array.from({ length: 9 }, () => runRequest({ mode: 'enqueue', queue: 'lane' })),
  )
  const active = async () =>
    (await db.sql`select run_key from millrace.dag_run where queue = 'lane' and status = 'not_started'`)
      .length
  expect(await active()).toBe(3)
  await db.sql`update millrace.queue set max_concurrency = 5 where name = 'lane'`
  await promoteQueues(db, { limit: 100 })
  expect(await active()).toBe(5)
  await work(9)
})

test('exactly one of a concurrent dequeue and promotion wins', async () => {
  for (let round = 0; round < 40; round++) {
    const [first, second] = await createRuns(db, [
      runRequest({ mode: 'enqueue', queue: 'narrow' }),
      runRequest({ mode: 'enqueue', queue: 'narrow' }),
    ])
    const [run] = await claimRuns(db, { owner: 'a', labels: {}, count: 1, leaseMs: 30_000, known: {} })
    expect(run?.runKey).toBe(first?.runKey)
    const { runKey = '', token = '' } = run ?? {}
    const queued = { runKey: second?.runKey ?? '', runId: 'second', dagName: 'demo' }
    const [isDequeued] = await Promise.all([
      dequeueRun(db, queued).then(
        () => true,
        () => false,
      ),
      recordProgress(db, [{ runKey, token, steps: [], finish: { status: 'success', error: '' } }]),
    ])
    const [row] = await db.sql`select status from millrace.dag_run where run_key = ${second?.runKey ?? ''}`
    expect(row?.['status']).toBe(isDequeued ? 'cancelled' : 'not_started')
    if (!isDequeued) await work(1)
  }
})
