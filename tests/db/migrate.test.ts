import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type Database } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { readMigrations } from '#lib/db/read-migrations.ts'
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

test('eight first starts at once apply every migration once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => migrate(open())))
  const rows = await open().sql<{ name: string }[]>`select name from millrace.migration order by name`
  expect(rows.map((row) => row.name)).toEqual((await readMigrations()).map((migration) => migration.name))
})

test('a further start changes nothing', async () => {
  const db = open()
  const before = await db.sql`select * from millrace.migration order by name`
  await migrate(db)
  expect(await db.sql`select * from millrace.migration order by name`).toEqual(before)
})

test('a migration that was changed after it was applied is refused by name', async () => {
  const db = open()
  await db.sql`update millrace.migration set hash = 'other' where name like '0002%'`
  await expect(migrate(db)).rejects.toThrow(
    'migration 0002_guard_transitions.sql was changed after it was applied',
  )
  const second = (await readMigrations())[1]
  await db.sql`update millrace.migration set hash = ${second?.hash ?? ''} where name like '0002%'`
})

test('a database that is newer than the program is refused', async () => {
  const db = open()
  await db.sql`insert into millrace.migration (name, hash) values ('9999_of_tomorrow.sql', 'x')`
  await expect(migrate(db)).rejects.toThrow(
    'the database is newer than this program: it has 9999_of_tomorrow.sql',
  )
})
