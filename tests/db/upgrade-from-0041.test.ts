import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, expect, inject, test } from 'vitest'
import { writeBackup } from '#lib/db/backup.ts'
import { connect, type Database } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { migrationState } from '#lib/db/migration-state.ts'
import { restoreBackup } from '#lib/db/restore.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { testDatabase } from '#tests/support/database.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { checkingResults } from '#tests/support/sql-results.ts'

const { db: fresh } = await testDatabase()
const server = inject('databaseServer')
const admin = connect(server, { max: 1, applicationName: 'millrace-test' })
const made: { name: string; db: Database }[] = []

async function emptyDatabase(): Promise<{ db: Database; url: string }> {
  const name = `millrace_old_${randomBytes(8).toString('hex')}`
  await admin.sql.unsafe(`create database ${name}`)
  const url = urlOf(server, name)
  const db = checkingResults(connect(url, { max: 2, applicationName: 'millrace-test' }))
  made.push({ name, db })
  return { db, url }
}

afterAll(async () => {
  for (const { name, db } of made) {
    await db.close()
    await admin.sql.unsafe(`drop database ${name} with (force)`)
  }
  await admin.close()
})

const tables = readFileSync(new URL('fixtures/schema-0041.sql', import.meta.url), 'utf8')

/** Rows of the previous version: a waiting run, a child run of a local DAG, a history limit, a user. */
const rows = `
insert into millrace.definition (hash, spec, is_loose) values ('h', 'steps: []', false), ('loose', '', true);
insert into millrace.dag (file_name, dag_name, definition_hash, summary) values ('demo', 'demo', 'h', '{}');
select millrace.create_run('{"runId": "old", "dagName": "demo", "fileName": "demo", "definitionHash": "h",
  "mode": "start", "trigger": "api", "queue": "demo", "histRetentionRuns": 3, "parent": null}');
insert into millrace.dag_run (run_id, dag_name, definition_hash, document, status, trigger_type, root_key, parent_key,
    parent_step, parent_round, finished_at)
  select 'kid', 'kid', 'h', 'kid', 'success', 'parent', run_key, run_key, 'call', 2, now() from millrace.dag_run;
insert into millrace.app_user (name, role, password_hash) values ('ann', 'admin', 'x');`

async function oldDatabase(): Promise<{ db: Database; url: string }> {
  const made = await emptyDatabase()
  await made.db.sql.unsafe(tables)
  await made.db.sql.unsafe(rows)
  return made
}

/** Everything in the schema except the order of columns. */
async function catalog(db: Database): Promise<readonly string[]> {
  const found = await db.sql<{ line: string }[]>`
    select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end || ' ' || a.attidentity::text || a.attstorage::text
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'millrace'::regnamespace and c.relkind in ('r', 'v')
    union all
    select 'constraint ' || coalesce(conrelid::regclass::text, 'domain') || ' ' || conname || ' '
      || pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'millrace'::regnamespace and contype <> 'n'
    union all
    select 'index ' || indexdef from pg_indexes where schemaname = 'millrace'
    union all
    select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'millrace'::regnamespace and not t.tgisinternal
    union all
    select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'millrace'::regnamespace
    union all
    select 'view ' || c.relname || pg_get_viewdef(c.oid) from pg_class c
    where c.relnamespace = 'millrace'::regnamespace and c.relkind = 'v'
    union all
    select 'sequence ' || sequencename from pg_sequences where schemaname = 'millrace'
    order by 1`
  return found.map(({ line }) => line)
}

async function expectOldRows(db: Database): Promise<void> {
  expect(await db.sql`select hash, gc_candidate from millrace.definition order by hash`).toEqual([
    { hash: 'h', gc_candidate: false },
    { hash: 'loose', gc_candidate: true },
  ])
  expect(await db.sql`select dag_name, keep from millrace.history_trim`).toEqual([
    { dag_name: 'demo', keep: 3 },
  ])
  expect(
    await db.sql`select run_id, local_dag, parent_iteration from millrace.dag_run order by run_key`,
  ).toEqual([
    { run_id: 'old', local_dag: null, parent_iteration: 0 },
    { run_id: 'kid', local_dag: 'kid', parent_iteration: 2 },
  ])
  expect(await db.sql`select name from millrace.app_user`).toEqual([{ name: 'ann' }])
}

async function expectItWorks(db: Database): Promise<void> {
  const [run] = await claimRuns(db, { owner: 'a', labels: {}, count: 1, leaseMs: 30_000, known: {} })
  const { runKey, token } = run ?? expect.fail('nothing to claim')
  const finish = { status: 'success', error: '' } as const
  expect(await recordProgress(db, [{ runKey, token, steps: [], finish }])).toEqual({ lost: [] })
  expect(await db.sql`select status from millrace.run_end`).toEqual([{ status: 'success' }])
  expect(await db.sql`select * from millrace.check_invariants()`).toEqual([])
}

test('a database of 0041 is upgraded to the schema of a new one, keeps its rows, and works', async () => {
  const { db } = await oldDatabase()
  const before = await migrationState(db)
  expect(before).toMatchObject({ newer: [], isCurrent: false })
  expect(before.pending[0]).toBe('0001_definitions.sql')
  await Promise.all([migrate(db), migrate(db), migrate(db)])
  expect(await migrationState(db)).toMatchObject({ pending: [], newer: [], before: [], isCurrent: true })
  expect(await catalog(db)).toEqual(await catalog(fresh))
  const applied = (of: Database) => of.sql`select name, hash from millrace.migration order by name`
  expect(await applied(db)).toEqual(await applied(fresh))
  await expectOldRows(db)
  await expectItWorks(db)
})

test('a right to call a function survives the upgrade', async () => {
  const { db } = await oldDatabase()
  await db.sql.unsafe('revoke execute on function millrace.start_run from public')
  await migrate(db)
  const [row] = await db.sql<{ acl: string | null }[]>`
    select proacl::text as acl from pg_proc where oid = 'millrace.start_run'::regproc`
  expect(row?.acl).not.toBeNull()
})

test('a database of an earlier version is refused by name and left unchanged', async () => {
  const { db } = await oldDatabase()
  await db.sql`delete from millrace.migration where name > '0037'`
  await expect(migrate(db)).rejects.toThrow(
    'the tables are those of 0036_note_attempts.sql, and this program upgrades from 0041_sign_in.sql only',
  )
  expect(await db.sql`select to_regclass('millrace.applied_function') as made`).toEqual([{ made: null }])
})

test('a backup of 0041 is restored with the names of this version', async () => {
  const old = await oldDatabase()
  const lines: string[] = []
  let rest = ''
  await writeBackup(old.url, (text) => {
    const pieces = `${rest}${text}`.split('\n')
    rest = pieces.pop() ?? ''
    lines.push(...pieces)
    return Promise.resolve()
  })
  const { db, url } = await emptyDatabase()
  const open = async function* () {
    yield* lines
  }
  await restoreBackup(db, url, open, { replace: false })
  expect(await catalog(db)).toEqual(await catalog(fresh))
  await expectOldRows(db)
  await expectItWorks(db)

  const head = JSON.parse(lines[0] ?? '') as { migrations: string[] }
  const earlier = { ...head, migrations: head.migrations.filter((name) => name < '0037') }
  lines[0] = JSON.stringify({ ...earlier })
  await expect(restoreBackup(db, url, open, { replace: true })).rejects.toThrow(
    'this program upgrades from 0041_sign_in.sql only',
  )
  await expectOldRows(db)
})
