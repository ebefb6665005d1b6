import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterAll, expect, inject, test } from 'vitest'
import { connect, type Database } from '#lib/db/client.ts'
import { applyMigration, migrate, replaceFunctions } from '#lib/db/migrate.ts'
import { readFunctions, type Migration, type SqlFunctions } from '#lib/db/read-migrations.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { runnerKit } from '#tests/e2e/runner-kit.ts'
import { testApi } from '#tests/support/api.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { until } from '#tests/support/until.ts'
import { checkingResults } from '#tests/support/sql-results.ts'

const kit = await runnerKit()
const api = await testApi()
const name = `millrace_upgrade_${randomBytes(8).toString('hex')}`
const clients: Database[] = []

function open(database = name, max = 4): Database {
  const client = checkingResults(
    connect(urlOf(inject('databaseServer'), database), { max, applicationName: 'millrace-test' }),
  )
  clients.push(client)
  return client
}

const admin = open('postgres', 1)
await admin.sql.unsafe(`create database ${name}`)
afterAll(async () => {
  await Promise.all(clients.filter((client) => client !== admin).map((client) => client.close()))
  await admin.sql.unsafe(`drop database ${name} with (force)`)
  await admin.close()
})

/** A typical migration: a column for every table, and an index. */
async function migrationOfTomorrow(db: Database): Promise<Migration> {
  const tables = await db.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'millrace'::regnamespace and relkind = 'r'`
  const text = [
    ...tables.map((table) => `alter table millrace.${table.name} add column of_tomorrow text default 'x';`),
    'create index of_tomorrow_idx on millrace.dag_run (of_tomorrow);',
  ].join('\n')
  return { name: '9999_of_tomorrow.sql', hash: 'h', text }
}

/** A new revision of every function. */
async function functionsOfTomorrow(): Promise<SqlFunctions> {
  const { revision, files } = readFunctions()
  const changed = files.map((file) => ({ ...file, text: `${file.text}-- of tomorrow\n`, hash: 'tomorrow' }))
  return { revision: revision + 1, files: changed }
}

test('no call and no run of the previous version fails during migrations', async () => {
  const db = open()
  await migrate(db)
  const old = open()
  const logs = createPostgresLogStore(old)
  const { call } = api.with({ db: old, logs })
  kit.runner({ db: old, logs })
  const spec = 'steps:\n  - name: a\n    command: echo a\n  - name: b\n    depends: a\n    command: echo b\n'
  expect(await call('POST', '/dags', { body: { name: 'short', spec } })).toMatchObject({ status: 201 })
  const long = 'steps:\n  - name: wait\n    command: while [ ! -e go ]; do sleep 0.05; done; touch gone\n'
  const longSpec = `workingDir: ${kit.folder}\n${long}`
  expect(
    await call('POST', '/dag-runs', { body: { name: 'long', dagRunId: 'long', spec: longSpec } }),
  ).toMatchObject({
    status: 200,
  })
  let isOver = false
  let worstMs = 0
  let calls = 0
  const load = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const begun = performance.now()
      expect(await call('POST', '/dags/short/start', { body: {} })).toMatchObject({ status: 200 })
      expect(await call('GET', '/dags')).toMatchObject({ status: 200 })
      worstMs = Math.max(worstMs, performance.now() - begun)
      calls += 2
    }
  })
  const progress = async (more: number): Promise<void> => {
    const wanted = calls + more
    await until('calls continue', () => calls >= wanted)
  }
  await progress(20)
  await applyMigration(db, await migrationOfTomorrow(db))
  const functions = await functionsOfTomorrow()
  await Promise.all([replaceFunctions(open(), functions), replaceFunctions(open(), functions), progress(20)])
  await expect(migrate(open())).rejects.toThrow(/is newer than this program: it has .*, \d+ functions/)
  await progress(20)
  isOver = true
  await Promise.all(load)
  writeFileSync(`${kit.folder}/go`, '')
  await until('all runs have ended', async () => {
    const [row] = await db.sql<{ open: number }[]>`
      select count(*)::int as open from millrace.dag_run where finished_at is null`
    return row?.open === 0
  })
  const ends = await db.sql`select status, max(lost_count)::int as lost from millrace.dag_run group by status`
  expect(ends).toEqual([{ status: 'success', lost: 0 }])
  expect(worstMs).toBeLessThan(5_000)
  expect(await db.sql`select * from millrace.check_invariants()`).toEqual([])
})

test('a migration waits for a table that is being read without blocking other readers', async () => {
  const [db, reader, other] = [open(), open(name, 1), open()]
  await reader.sql.unsafe('begin; lock table millrace.dag in access share mode')
  const tomorrow = {
    name: '9999_after.sql',
    hash: 'h',
    text: 'alter table millrace.dag add column after_it text',
  }
  let isDone = false
  const migrating = applyMigration(db, tomorrow).then(() => (isDone = true))
  await until('it waits for the table', async () => {
    const [row] = await other.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_locks where not granted and relation = 'millrace.dag'::regclass`
    return row?.waiting === 1
  })
  const begun = performance.now()
  await other.sql`select count(*) from millrace.dag`
  expect(performance.now() - begun).toBeLessThan(4_000)
  expect(isDone).toBe(false)
  await reader.sql.unsafe('commit')
  await migrating
  expect(await other.sql`select name from millrace.migration where name = '9999_after.sql'`).toHaveLength(1)
})
