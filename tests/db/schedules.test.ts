import { expect, onTestFinished, test } from 'vitest'
import { setSuspended } from '#lib/dags/set-suspended.ts'
import type { Database } from '#lib/db/client.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { fireSchedules } from '#lib/schedules/fire-schedules.ts'
import { testDatabase } from '#tests/support/database.ts'
import { createMinutely, judgeMinutes, missMinutes } from '#tests/support/missed-instants.ts'
import { until } from '#tests/support/until.ts'

const database = await testDatabase()
const { db } = database
const minute = 60_000

/** A DAG whose next instant lies so many minutes back, as if no tick had run since. */
async function missed(fileName: string, fields: string, minutes: number): Promise<number> {
  await createMinutely(db, fileName, fields)
  return missMinutes(db, fileName, minutes)
}

interface Made {
  readonly at: number
  readonly status: string
}

const runsOf = async (dag: string): Promise<Made[]> => [
  ...(await db.sql<Made[]>`
    select millrace.ms(scheduled_at)::float8 as at, status from millrace.dag_run where dag_name = ${dag}
    order by scheduled_at, run_key`),
]

/** Ticks until nothing is due. */
async function tick(through: Database = db): Promise<void> {
  const parts = {
    db: through,
    definitions: createDefinitionReader(),
    zone: 'UTC',
    limit: 500,
    onFired: () => {},
  }
  while ((await fireSchedules(parts)).nextDueMs === 0) continue
}

test('without catchup, missed instants get no runs', async () => {
  const first = await missed('plain', '', 30)
  await tick()
  expect((await runsOf('plain')).filter(({ at }) => at <= first + 29 * minute)).toEqual([])
})

test('catchup last creates one run of the newest instant', async () => {
  const first = await missed('newest', 'catchup: last', 30)
  await tick()
  const made = await runsOf('newest')
  expect(made).toHaveLength(1)
  expect(made[0]?.at).toBeGreaterThanOrEqual(first + 30 * minute)
})

test('the tick returns when another entry is due while one waits for its restart', async () => {
  await createMinutely(db, 'soon', '')
  await createMinutely(db, 'again', 'restartWaitSec: 3000')
  await db.sql`
    insert into millrace.dag_run (run_id, dag_name, file_name, definition_hash, trigger_type, status, created_at,
      finished_at)
    select 'old', dag_name, file_name, definition_hash, 'api', 'success', now() - interval '1 hour', now()
    from millrace.dag where file_name = 'again'`
  await db.sql`
    update millrace.schedule set kind = 'restart', next_at = now() - interval '1 second' where file_name = 'again'`
  await db.sql`update millrace.schedule set next_at = now() + interval '1 hour' where file_name <> 'again'`
  const parts = { db, definitions: createDefinitionReader(), zone: 'UTC', limit: 500, onFired: () => {} }
  expect((await fireSchedules(parts)).nextDueMs).toBeGreaterThan(1_000_000)
  await db.sql`update millrace.schedule set next_at = now() + interval '50 seconds' where file_name = 'soon'`
  const { nextDueMs } = await fireSchedules(parts)
  expect(nextDueMs).toBeGreaterThan(0)
  expect(nextDueMs).toBeLessThanOrEqual(50_000)
  await db.sql`delete from millrace.schedule where file_name in ('soon', 'again')`
})

test('catchup all creates a run for each instant, in order and one at a time', async () => {
  const first = await missed('every', 'catchup: all', 10)
  await tick()
  const made = await runsOf('every')
  expect(made.slice(0, 11).map(({ at }) => at)).toEqual(
    Array.from({ length: 11 }, (_, n) => first + n * minute),
  )
  expect(
    made.map(({ status }) => status),
    'the run on time waits after the missed ones',
  ).toEqual(['not_started', ...made.slice(1).map(() => 'queued')])
})

test('catchup all is limited to its window, and takes several passes', async () => {
  const first = await missed('window', 'catchupWindow: 150m', 300)
  await tick()
  const made = await runsOf('window')
  expect(made[0]?.at).toBeGreaterThanOrEqual(first + 150 * minute)
  expect(made.length).toBeGreaterThanOrEqual(150)
})

test('a suspended DAG does not catch up, even after it is resumed', async () => {
  const first = await missed('asleep', 'catchup: all', 30)
  await setSuspended(db, { fileName: 'asleep', suspended: true })
  await tick()
  await setSuspended(db, { fileName: 'asleep', suspended: false })
  await tick()
  expect((await runsOf('asleep')).filter(({ at }) => at <= first + 29 * minute)).toEqual([])
})

test('a resumed DAG does not catch up on instants of its suspension, even if no tick ran then', async () => {
  const first = await missed('slept', 'catchup: all', 30)
  await setSuspended(db, { fileName: 'slept', suspended: true })
  await setSuspended(db, { fileName: 'slept', suspended: false })
  await db.sql`
    update millrace.dag set resumed_at = to_timestamp(${first + 20 * minute}::float8 / 1000)
    where file_name = 'slept'`
  await tick()
  const made = (await runsOf('slept')).map(({ at }) => at)
  expect(made.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, n) => first + (21 + n) * minute))
})

test('a resumed DAG does not serve an instant just before it was resumed', async () => {
  const first = await missed('returned', '', 2)
  await setSuspended(db, { fileName: 'returned', suspended: true })
  await setSuspended(db, { fileName: 'returned', suspended: false })
  await tick()
  expect((await runsOf('returned')).filter(({ at }) => at <= first + 2 * minute)).toEqual([])
})

test('suspending a DAG waits for runs that are being created, and none are created afterwards', async () => {
  await missed('raced', 'catchup: all', 250)
  const slow = database.open({ max: 1 })
  await db.sql.unsafe(`
    create function public.dawdle() returns trigger language plpgsql as $$
    begin
      if new.dag_name = 'raced' then perform pg_sleep(0.005); end if;
      return null;
    end $$;
    create trigger dawdle after insert on millrace.dag_run for each row execute function public.dawdle()`)
  onTestFinished(async () => void (await db.sql.unsafe('drop function public.dawdle cascade')))
  const ticking = tick(slow)
  await until('runs are being created', async () => {
    const rows = await db.sql`
      select 1 from pg_stat_activity where query like '%fire_schedule%' and wait_event = 'PgSleep'`
    return rows.length > 0
  })
  await setSuspended(db, { fileName: 'raced', suspended: true })
  const { length: count } = await runsOf('raced')
  await ticking
  expect(await runsOf('raced')).toHaveLength(count)
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(250)
})

test('overlapPolicy latest keeps only the newest waiting run, and cancels the others', async () => {
  await missed('freshest', 'overlapPolicy: latest\ncatchup: all', 4)
  await tick()
  const statuses = (await runsOf('freshest')).map(({ status }) => status)
  expect(statuses.at(0)).toBe('not_started')
  expect(statuses.at(-1)).toBe('queued')
  expect(new Set(statuses.slice(1, -1))).toEqual(new Set(['cancelled']))
})

test('16 concurrent ticks over hundreds of missed instants create each run once', async () => {
  for (let index = 0; index < 10; index++) {
    await createMinutely(db, `many-${index}`, 'catchup: all\ncatchupWindow: 10h')
  }
  const first = await missMinutes(db, 'many-%', 150)
  const connections = Array.from({ length: 16 }, () => database.open({ max: 1 }))
  await Promise.all(connections.map(tick))
  await Promise.all(connections.map((connection) => connection.close()))
  const { wanted, ...wrong } = await judgeMinutes(db, 'many-%', first)
  expect(wanted).toBeGreaterThanOrEqual(1_510)
  expect(wrong).toEqual({ missing: 0, doubled: 0, strange: 0 })
}, 60_000)
