import { expect, test } from 'vitest'
import { createDag } from '#lib/dags/create-dag.ts'
import { currentDefaults } from '#lib/dags/current-defaults.ts'
import { saveSpec } from '#lib/dags/save-spec.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { recomputeSchedules } from '#lib/schedules/recompute-schedules.ts'
import { fireSchedules } from '#lib/schedules/fire-schedules.ts'
import { testDatabase } from '#tests/support/database.ts'

const { db } = await testDatabase()

const spec = (expression: string): string => `schedule: "${expression}"\nsteps:\n  - echo 1\n`

/** The hour and minute of the next time in UTC. */
async function nextOf(fileName: string): Promise<string> {
  const [row] = await db.sql<{ next: string }[]>`
    select to_char(next_at at time zone 'UTC', 'HH24:MI') as next from millrace.schedule where file_name = ${fileName}`
  return row?.next ?? ''
}

const apply = (settings: Readonly<Record<string, string | null>>, by = 'one') =>
  db.call('apply_settings', settings, null, by)

test('another zone moves only the entries that name none', async () => {
  await createDag(db, { fileName: 'plain', spec: spec('30 3 * * *'), zone: 'UTC' })
  await createDag(db, { fileName: 'own', spec: spec('CRON_TZ=Asia/Kolkata 30 3 * * *'), zone: 'UTC' })
  expect([await nextOf('plain'), await nextOf('own')]).toEqual(['03:30', '22:00'])
  expect(await recomputeSchedules(db, 'Asia/Tokyo')).toBe(1)
  expect([await nextOf('plain'), await nextOf('own')]).toEqual(['18:30', '22:00'])
  expect(await recomputeSchedules(db, 'Asia/Tokyo')).toBe(0)
})

test('a save with another zone computes the next time again, one with the same zone keeps it', async () => {
  await createDag(db, { fileName: 'saved', spec: spec('30 3 * * *'), zone: 'UTC' })
  const save = (zone: string) =>
    saveSpec(db, { fileName: 'saved', spec: spec('30 3 * * *'), zone, version: undefined })
  await db.sql`update millrace.schedule set next_at = now() - interval '1 hour' where file_name = 'saved'`
  const before = await nextOf('saved')
  await save('UTC')
  expect(await nextOf('saved')).toBe(before)
  await save('Asia/Tokyo')
  expect(await nextOf('saved')).toBe('18:30')
})

test('an entry of a version that stored no zone is kept unchanged, even if it is due', async () => {
  await createDag(db, { fileName: 'older', spec: spec('30 3 * * *'), zone: 'UTC' })
  await db.sql`
    update millrace.schedule set default_zone = null, next_at = '2026-01-01T00:07Z' where file_name = 'older'`
  await recomputeSchedules(db, 'Asia/Tokyo')
  expect(await nextOf('older')).toBe('00:07')
})

test('a tick with another zone in its settings uses the zone of the entry', async () => {
  await createDag(db, { fileName: 'fired', spec: spec('30 3 * * *'), zone: 'Asia/Tokyo' })
  await db.sql`delete from millrace.schedule where file_name <> 'fired'`
  await db.sql`update millrace.schedule set next_at = now() - interval '1 second' where file_name = 'fired'`
  const definitions = createDefinitionReader()
  await fireSchedules({ db, definitions, zone: 'UTC', limit: 10, onFired: () => {} })
  expect(await nextOf('fired')).toBe('18:30')
})

test('the settings applied last win, and the answer names who applied the previous ones', async () => {
  expect(await currentDefaults(db, { zone: 'Asia/Kolkata', base: 'a' })).toEqual({
    zone: 'Asia/Kolkata',
    base: 'a',
  })
  const first = { MILLRACE_TZ: 'UTC', MILLRACE_BASE_CONFIG: null }
  expect(await apply(first)).toMatchObject([
    { name: 'MILLRACE_BASE_CONFIG', by: null },
    { name: 'MILLRACE_TZ', by: null },
  ])
  expect(await apply(first, 'two')).toEqual([])
  expect(await apply({ MILLRACE_TZ: 'Asia/Tokyo' }, 'two')).toEqual([
    { name: 'MILLRACE_TZ', before: 'UTC', after: 'Asia/Tokyo', by: 'one' },
  ])
  expect(await currentDefaults(db, { zone: 'Asia/Kolkata', base: 'a' })).toEqual({ zone: 'Asia/Tokyo' })
})
