import { expect, test } from 'vitest'
import type { Database } from '#lib/db/client.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { continueStops } from '#lib/runs/stop/continue-stops.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { renewLeases } from '#lib/runs/claim/renew-leases.ts'
import { stopRun } from '#lib/runs/stop/stop-run.ts'
import { seeded } from '#tests/chaos/random.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { deadlocksIn, plantTree } from '#tests/support/run-tree.ts'

const { db, open } = await testDatabase()

/** The server detects deadlocks only after a second by default, when most would have gone unnoticed. */
await db.sql.unsafe(`do $$ begin
  execute format('alter database %I set deadlock_timeout = 10', current_database());
end $$`)

const step = {
  name: 'work',
  place: 0,
  status: 'success',
  phase: null,
  attempt: 1,
  retryCount: 0,
  doneCount: 1,
}

/** A list in random order, because a runner names its runs in any order. */
function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

const claim = (own: Database): ReturnType<typeof claimRuns> =>
  claimRuns(own, { owner: 'b', labels: {}, count: 20, leaseMs: 60_000, known: {} })

/** Repeats each act on a connection of its own, all at once, until `work` has ended. @returns deadlocks meanwhile */
async function beside(
  acts: readonly ((own: Database) => Promise<unknown>)[],
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await deadlocksIn(db)
  let isOver = false
  const repeat = async (act: (own: Database) => Promise<unknown>): Promise<void> => {
    const own = open({ max: 1 })
    while (!isOver) await act(own)
  }
  const load = acts.map(repeat)
  try {
    await work()
  } finally {
    isOver = true
    await Promise.allSettled(load)
  }
  await Promise.all(load)
  return (await deadlocksIn(db)) - before
}

test('stops of a tree of 60 × 60 beside its runners end without a deadlock', async () => {
  const random = seeded(Number(process.env['FC_SEED'] ?? 7))
  const { root, children, grandchildren } = await plantTree(db, { width: 60, depth: 60, owner: 'a' })
  const all = [root, ...children, ...grandchildren]
  const some = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const record = (own: Database): Promise<unknown> =>
    recordProgress(
      own,
      shuffled(all, random)
        .slice(0, 200)
        .map((runKey) => ({ runKey, token: '1', steps: [step] }) as never),
    )
  const worker = { labels: {}, slots: 1, host: 'here', pid: 1, draining: false }
  const renew = (own: Database): Promise<unknown> =>
    renewLeases(own, {
      owner: 'a',
      claims: shuffled(all, random).map((runKey) => ({ runKey, token: '1' })),
      leaseMs: 60_000,
      worker,
    })
  const deadlocks = await beside(
    [
      record,
      record,
      record,
      renew,
      claim,
      (own) => stopRun(own, { runKey: some(children) }),
      (own) => stopRun(own, { runKey: some(children) }),
      (own) => stopRun(own, { runKey: some(grandchildren) }),
      (own) => own.call('expire_leases').then(() => own.call('take_over_lost_runs', 500, 0)),
      (own) => own.call('release_stopped_runs', 500),
      (own) => own.call('continue_stops', 500),
    ],
    async () => {
      for (let stops = 0; stops < 4; stops++) await stopRun(db, { runKey: root })
    },
  )
  expect(deadlocks).toBe(0)
  while ((await continueStops(db, { limit: 5_000 })) > 0) continue
  const [row] = await db.sql`
    select count(*)::int as left from millrace.dag_run where finished_at is null and stop_requested_at is null`
  expect(row?.['left']).toBe(0)
  await db.sql`delete from millrace.dag_run`
}, 120_000)

test('requests for several queues and ids, settings, promoters and runners never deadlock', async () => {
  const random = seeded(Number(process.env['FC_SEED'] ?? 7))
  const lanes = Array.from({ length: 6 }, (_, index) => `lane-${index}`)
  const some = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const several = (changes: (index: number) => Parameters<typeof runRequest>[0]) => (own: Database) =>
    createRuns(
      own,
      Array.from({ length: 8 }, (_, index) => runRequest(changes(index))),
    )
  const text = (): { definitionHash: string } => ({ definitionHash: `text-${Math.floor(random() * 1e6)}` })
  let ended = 0
  const work = async (own: Database): Promise<void> => {
    const runs = await claim(own)
    const finish = { status: 'success', error: '' } as const
    await recordProgress(
      own,
      shuffled(runs, random).map(({ runKey, token }) => ({ runKey, token, steps: [], finish })),
    )
    ended += runs.length
  }
  const settings = (own: Database): Promise<void> =>
    configureQueues(
      own,
      shuffled([...lanes, 'new'], random)
        .slice(0, 4)
        .map((name) => ({ name, maxConcurrency: 20 })),
    )
  const deadlocks = await beside(
    [
      several(() => ({ mode: 'enqueue', queue: some(lanes), dagName: some(lanes), maxActiveRuns: 9 })),
      several(() => ({
        ...text(),
        mode: 'enqueue',
        queue: some(lanes),
        homeQueue: some(lanes),
        dagName: some(lanes),
        maxActiveRuns: 9,
        histRetentionRuns: 5,
      })),
      several(() => ({ dagName: some(lanes), singleton: true, queue: null })),
      several(() => ({
        dagName: some(lanes),
        mode: 'enqueue',
        queue: some(lanes),
        singleton: true,
        ...text(),
      })),
      settings,
      settings,
      (own) => own.call('promote_queues', 100),
      async (own) => await own.sql`select millrace.promote_in_queues(array[${some(lanes)}])`,
      work,
      work,
      (own) => own.call('trim_history', 5),
    ],
    async () => {
      while (ended < 1_500) await work(db)
    },
  )
  expect(deadlocks).toBe(0)
  await db.sql`delete from millrace.dag_run`
}, 120_000)
