import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#lib/db/client.ts'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns, type CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { stopRun } from '#lib/runs/stop/stop-run.ts'
import { seeded } from '#tests/chaos/random.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { db, open } = await testDatabase()

beforeEach(async () => {
  await db.sql`delete from millrace.dag_run`
  await configureQueues(db, [])
})

/** Enqueues a run, by default in the queue of its DAG. @returns its key */
async function enqueue(runId: string, given: Partial<CreateRunRequest> = {}): Promise<string> {
  const { dagName = 'demo', queue = dagName } = given
  const elsewhere = queue === dagName ? {} : { homeQueue: dagName }
  const request = runRequest({ runId, dagName, mode: 'enqueue', ...elsewhere, ...given, queue })
  const [outcome] = await createRuns(db, [request])
  return outcome?.runKey ?? ''
}

async function active(): Promise<string[]> {
  const rows = await db.sql<{ id: string }[]>`
    select run_id as id from millrace.dag_run where status in ('not_started', 'running') order by run_id`
  return rows.map(({ id }) => id)
}

/** Claims and finishes one run. */
async function endOne(own: Database = db): Promise<void> {
  const runs = await claimRuns(own, { owner: 'a', labels: {}, count: 1, leaseMs: 30_000, known: {} })
  const finish = { status: 'success', error: '' } as const
  await recordProgress(
    own,
    runs.map(({ runKey, token }) => ({ runKey, token, steps: [], finish })),
  )
}

test('runs in undefined queues share the limit of their DAG with those in its own queue', async () => {
  await enqueue('1')
  for (const id of ['2', '3', '4']) await enqueue(id, { queue: `invented-${id}` })
  await enqueue('5')
  const seen: string[][] = []
  for (let round = 0; round < 5; round++) {
    seen.push(await active())
    await endOne()
  }
  // The end of a run promotes the next one at once, in whatever queue it waits.
  expect(seen.map((ids) => ids.length)).toEqual([1, 1, 1, 1, 1])
  expect(seen.flat().sort()).toEqual(['1', '2', '3', '4', '5'])
})

test('runs in a configured queue that the caller chose respect its limit and that of the DAG', async () => {
  await configureQueues(db, [{ name: 'wide', maxConcurrency: 10 }])
  await enqueue('1', { queue: 'wide', maxActiveRuns: 2 })
  await enqueue('2', { queue: 'wide', maxActiveRuns: 2 })
  await enqueue('3', { queue: 'wide', maxActiveRuns: 2 })
  expect(await active()).toEqual(['1', '2'])
  await configureQueues(db, [{ name: 'wide', maxConcurrency: 1 }])
  await enqueue('4', { dagName: 'other', queue: 'wide', maxActiveRuns: 2 })
  await endOne()
  expect(await active()).toEqual(['2'])
})

test('runs in a configured queue that the file names respect only its limit', async () => {
  await configureQueues(db, [{ name: 'wide', maxConcurrency: 3 }])
  const own = { queue: 'wide', homeQueue: undefined as never }
  for (const id of ['1', '2', '3', '4']) await enqueue(id, own)
  expect(await active()).toEqual(['1', '2', '3'])
})

test('an undefined queue that files name has the limit of the DAG whose run is next', async () => {
  const shared = { queue: 'shared', homeQueue: undefined as never, maxActiveRuns: 2 }
  await enqueue('1', { ...shared, dagName: 'one' })
  await enqueue('2', { ...shared, dagName: 'two' })
  await enqueue('3', { ...shared, dagName: 'one' })
  await enqueue('4', { ...shared, dagName: 'one', queue: 'invented', homeQueue: 'shared' })
  expect(await active()).toEqual(['1', '2', '4'])
})

test('a run that waits for its DAG does not hold up others', async () => {
  await configureQueues(db, [{ name: 'wide', maxConcurrency: 2 }])
  await enqueue('1')
  await enqueue('2', { queue: 'wide' })
  await enqueue('3', { queue: 'wide' })
  await enqueue('4', { dagName: 'other', queue: 'wide' })
  expect(await active()).toEqual(['1', '4'])
})

test('a run that is stopped before its start makes room in other queues', async () => {
  const first = await enqueue('1', { queue: 'invented' })
  await enqueue('2')
  await enqueue('3', { queue: 'also-invented' })
  await stopRun(db, { runKey: first })
  expect((await active()).length).toBe(1)
})

test('concurrent enqueues, promotions and ends never let a DAG exceed its limit', async () => {
  const random = seeded(Number(process.env['FC_SEED'] ?? 11))
  await db.sql.unsafe(`
    create table public.over (active int);
    create function public.see() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(4711);
      insert into public.over select count(*) from millrace.dag_run
      where dag_name = 'demo' and status in ('not_started', 'running') having count(*) > 3;
      return null;
    end $$;
    create constraint trigger see after update of status on millrace.dag_run deferrable initially deferred
    for each row when (new.status = 'not_started') execute function public.see()`)
  const queues = ['demo', 'zebra', 'alpha', 'wide']
  const some = (): string => queues[Math.floor(random() * queues.length)] ?? ''
  await configureQueues(db, [{ name: 'wide', maxConcurrency: 5 }])
  let made = 0
  const left = async (): Promise<number> => {
    const [row] = await db.sql<{ count: number }[]>`
      select count(*)::int as count from millrace.dag_run where finished_at is null`
    return row?.count ?? -1
  }
  const enqueuer = async (): Promise<void> => {
    while (made < 200) await enqueue(`many-${made++}`, { queue: some(), maxActiveRuns: 3 })
  }
  const repeat = async (act: (own: Database) => Promise<unknown>): Promise<void> => {
    const own = open({ max: 1 })
    while (made < 200 || (await left()) > 0) await act(own)
  }
  await Promise.all([
    ...Array.from({ length: 3 }, enqueuer),
    ...Array.from({ length: 4 }, () => repeat(endOne)),
    ...Array.from({ length: 3 }, () =>
      repeat(async (own) => await own.sql`select millrace.promote_in_queues(array[${some()}])`),
    ),
    repeat((own) => own.call('promote_queues', 10)),
  ])
  expect(await db.sql`select * from public.over`).toEqual([])
  await db.sql.unsafe('drop trigger see on millrace.dag_run; drop table public.over')
}, 60_000)
