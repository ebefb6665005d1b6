import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type Database } from '#lib/db/client.ts'
import { migrate, replaceFunctions } from '#lib/db/migrate.ts'
import { listed, migrationState } from '#lib/db/migration-state.ts'
import { readFunctions, readMigrations, type Migration } from '#lib/db/read-migrations.ts'
import { urlOf } from '#tests/support/database-url.ts'

const name = `millrace_migrate_${randomBytes(8).toString('hex')}`
const clients: Database[] = []

function open(database = name): Database {
  const client = connect(urlOf(inject('databaseServer'), database), {
    max: 1,
    applicationName: 'millrace-test',
  })
  clients.push(client)
  return client
}

const admin = open('postgres')

beforeAll(async () => {
  await admin.sql.unsafe(`create database ${name}`)
})

afterAll(async () => {
  await Promise.all(clients.filter((client) => client !== admin).map((client) => client.close()))
  await admin.sql.unsafe(`drop database ${name} with (force)`)
  await admin.close()
})

test('eight concurrent first starts apply every migration once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => migrate(open())))
  const rows = await open().sql<{ name: string }[]>`select name from millrace.migration order by name`
  expect(rows.map((row) => row.name)).toEqual(readMigrations().map((migration) => migration.name))
  const functions = await open().sql<{ name: string; revision: number }[]>`
    select name, revision from millrace.applied_function order by name`
  const { revision, files } = readFunctions()
  expect(functions).toEqual(files.map(({ name }) => ({ name, revision })))
})

test('a further start changes nothing', async () => {
  const db = open()
  const applied = async () => [
    await db.sql`select * from millrace.migration order by name`,
    await db.sql`select * from millrace.applied_function order by name`,
  ]
  const before = await applied()
  await migrate(db)
  expect(await applied()).toEqual(before)
})

test('a migration that was changed after it was applied is refused by name', async () => {
  const db = open()
  await db.sql`update millrace.migration set hash = 'other' where name like '0002%'`
  await expect(migrate(db)).rejects.toThrow('migration 0002_runs.sql was changed after it was applied')
  const second = readMigrations()[1]
  await db.sql`update millrace.migration set hash = ${second?.hash ?? ''} where name like '0002%'`
})

/** The current source of a function in a database. */
async function sourceOf(db: Database, name: string): Promise<string | undefined> {
  const [row] = await db.sql<{ text: string }[]>`
    select prosrc as text from pg_proc where pronamespace = 'millrace'::regnamespace and proname = ${name}`
  return row?.text
}

const revise = (file: Migration): Migration => ({
  ...file,
  text: file.text.replace('\nbegin\n', '\nbegin -- of tomorrow\n'),
  hash: 'of tomorrow',
})

test('only a function whose file has changed is replaced', async () => {
  const db = open()
  await db.sql`update millrace.applied_function set hash = 'x' where name = 'functions/stop_child.sql'`
  await db.sql.unsafe('create or replace function millrace.stop_child(p_key bigint) returns text return null')
  const before =
    await db.sql`select name, applied_at::text as at from millrace.applied_function order by name`
  expect(await migrationState(db)).toMatchObject({ pending: ['functions/stop_child.sql'], isCurrent: false })
  await migrate(db)
  expect(await sourceOf(db, 'stop_child')).toContain('not_running')
  const after = await db.sql`select name, applied_at::text as at from millrace.applied_function order by name`
  const touched = after.filter((row, index) => row['at'] !== before[index]?.['at'])
  expect(touched.map((row) => row['name'])).toEqual(['functions/stop_child.sql'])
})

test('an older program keeps the functions of a newer one, and reports them', async () => {
  const db = open()
  const { revision, files } = readFunctions()
  const isKept = (name: string): boolean => name !== 'functions/fold_ends.sql'
  const tomorrow = files
    .filter(({ name }) => isKept(name))
    .map((file) => (file.name === 'functions/stop_child.sql' ? revise(file) : file))
  await replaceFunctions(db, { revision: revision + 1, files: tomorrow })
  expect(await migrationState(db)).toMatchObject({ pending: [], newer: ['functions/stop_child.sql'] })
  await expect(migrate(db)).rejects.toThrow(
    'the database is newer than this program: it has functions/stop_child.sql',
  )
  await replaceFunctions(db, { revision, files })
  expect(await sourceOf(db, 'stop_child')).toContain('of tomorrow')

  // Back to the functions of this program, as another revision of it would write them.
  await replaceFunctions(db, { revision: revision + 2, files })
  await db.sql`update millrace.applied_function set revision = ${revision}`
  expect(await migrationState(db)).toMatchObject({ isCurrent: true })
  expect(await sourceOf(db, 'stop_child')).not.toContain('of tomorrow')
})

test('removed functions are forgotten, so that they are created again when they come back', async () => {
  const db = open()
  const { revision } = readFunctions()
  await db.sql`
    insert into millrace.applied_function (name, hash, revision) values ('functions/gone.sql', 'x', 0)`
  await db.sql`update millrace.applied_function set revision = ${revision - 1}`
  expect(await migrationState(db)).toMatchObject({ pending: [], isCurrent: false })
  await migrate(db)
  expect(await db.sql`select from millrace.applied_function where name = 'functions/gone.sql'`).toEqual([])
  expect(await migrationState(db)).toMatchObject({ isCurrent: true })
})

test('a message counts functions when there are many', () => {
  const functions = ['a', 'b', 'c', 'd', 'e'].map((name) => `functions/${name}.sql`)
  expect(listed(['0001_x.sql', ...functions.slice(3)])).toBe('0001_x.sql, functions/d.sql, functions/e.sql')
  expect(listed(['0001_x.sql', ...functions, 'functions/f.sql'])).toBe('0001_x.sql, 6 functions')
})

test('a database that is newer than the program is refused', async () => {
  const db = open()
  await db.sql`insert into millrace.migration (name, hash) values ('9999_of_tomorrow.sql', 'x')`
  await expect(migrate(db)).rejects.toThrow(
    'the database is newer than this program: it has 9999_of_tomorrow.sql',
  )
})
