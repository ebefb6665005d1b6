import { expect, test } from 'vitest'
import { setSuspended } from '#lib/dags/set-suspended.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { fireSchedules } from '#lib/schedules/fire-schedules.ts'
import { forgetMissedTimes } from '#lib/schedules/forget-missed-times.ts'
import { testApi } from '#tests/support/api.ts'
import { createMinutely, missMinutes } from '#tests/support/missed-instants.ts'

const api = await testApi()
const { db } = api.database
const minute = 60_000

interface Note {
  readonly fromMs: number
  readonly untilMs: number
  readonly why: string
}

const notesOf = async (dag: string): Promise<Note[]> => [
  ...(await db.sql<Note[]>`
    select millrace.ms(from_at)::float8 as "fromMs", millrace.ms(until_at)::float8 as "untilMs", why
    from millrace.missed_times where file_name = ${dag} order by from_at`),
]

async function missed(fileName: string, fields: string, minutes: number): Promise<number> {
  await createMinutely(db, fileName, fields)
  return missMinutes(db, fileName, minutes)
}

async function tick(): Promise<void> {
  const parts = { db, definitions: createDefinitionReader(), zone: 'UTC', limit: 500, onFired: () => {} }
  while ((await fireSchedules(parts)).nextDueMs === 0) continue
}

test('times that no tick served are one note', async () => {
  const first = await missed('plain', '', 30)
  await tick()
  const [note, ...others] = await notesOf('plain')
  expect(others).toEqual([])
  expect(note).toMatchObject({ fromMs: first, why: 'no tick ran in time' })
  expect(note?.untilMs).toBeGreaterThanOrEqual(first + 30 * minute)
})

test('a tick that is slightly late serves one of several times and notes the others', async () => {
  const first = await missed('late', '', 3)
  await tick()
  const [note] = await notesOf('late')
  expect(note).toMatchObject({
    fromMs: first + minute,
    why: 'a tick came late, and served the first of several times',
  })
})

test('catchup last notes the replaced times, and catchup all notes none within its window', async () => {
  const first = await missed('newest', 'catchup: last', 30)
  await tick()
  const [note, ...others] = await notesOf('newest')
  expect(others).toEqual([])
  expect(note).toMatchObject({ fromMs: first, why: 'a later time replaced it' })
  expect(note?.untilMs).toBeLessThan(first + 31 * minute)
  await missed('every', 'catchup: all', 10)
  await tick()
  expect(await notesOf('every')).toEqual([])
})

test('times missed during an active run share one note', async () => {
  await createMinutely(db, 'busy', '')
  const run = await api.start('busy')
  for (let count = 3; count > 0; count--) {
    await db.sql`
      update millrace.schedule set next_at = date_trunc('minute', clock_timestamp()) - make_interval(mins => ${count})
      where file_name = 'busy'`
    await db.sql`
      update millrace.dag_run set started_at = clock_timestamp() - interval '1 hour' where run_id = ${run}`
    await tick()
  }
  const notes = await notesOf('busy')
  expect(notes.map(({ why }) => why)).toEqual(['a run was active'])
})

test('nothing is noted for a suspended DAG or for a stop without a run', async () => {
  await missed('asleep', '', 30)
  await setSuspended(db, { fileName: 'asleep', suspended: true })
  await tick()
  await setSuspended(db, { fileName: 'asleep', suspended: false })
  await tick()
  expect(await notesOf('asleep')).toEqual([])
  await createMinutely(db, 'stops', '')
  await db.sql`
    update millrace.schedule set kind = 'stop', next_at = now() - interval '1 hour' where file_name = 'stops'`
  await tick()
  expect(await notesOf('stops')).toEqual([])
})

test('a DAG that cannot be started has a note with the reason', async () => {
  await createMinutely(db, 'broken', 'params: {schema: {type: object, required: [DAY]}}')
  await missMinutes(db, 'broken', 0)
  await tick()
  const notes = await notesOf('broken')
  expect(notes).toHaveLength(1)
  expect(notes[0]?.why).toMatch(/DAY/)
})

test('notes older than a month are removed', async () => {
  await db.sql`
    update millrace.missed_times
    set from_at = from_at - interval '40 days', until_at = until_at - interval '40 days'
    where file_name = 'plain'`
  expect(await forgetMissedTimes(db, { limit: 10 })).toBe(1)
  expect(await notesOf('plain')).toEqual([])
})

test('a DAG shows who suspended it, and since when', async () => {
  await createMinutely(db, 'named', '')
  await setSuspended(db, { fileName: 'named', suspended: true, by: 'ann' })
  await setSuspended(db, { fileName: 'named', suspended: true, by: 'bob' })
  const { body } = await api.get<{ suspendedAt: string; suspendedBy: string }>('/dags/named')
  expect(body.suspendedBy).toBe('ann')
  expect(Date.now() - Date.parse(body.suspendedAt)).toBeLessThan(60_000)
  await setSuspended(db, { fileName: 'named', suspended: false })
  const { body: resumed } = await api.get<object>('/dags/named')
  expect(resumed).not.toHaveProperty('suspendedAt')
  expect(resumed).not.toHaveProperty('suspendedBy')
})
