import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterAll, expect, inject, test } from 'vitest'
import { connect, type Database } from '#lib/db/client.ts'
import { applyMigration, migrate } from '#lib/db/migrate.ts'
import { readMigrations, type Migration } from '#lib/db/read-migrations.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { countByDag } from '#lib/runs/counts/count-by-dag.ts'
import { countState } from '#lib/runs/counts/count-state.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { foldEnds } from '#lib/runs/counts/fold-ends.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { retryRun } from '#lib/runs/start/retry-run.ts'
import { runnerKit } from '#tests/e2e/runner-kit.ts'
import { testApi } from '#tests/support/api.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { until } from '#tests/support/until.ts'

const kit = await runnerKit()
const api = await testApi()
const name = `millrace_upgrade_${randomBytes(8).toString('hex')}`
const clients: Database[] = []

function open(database = name, max = 4): Database {
  const client = connect(urlOf(inject('databaseServer'), database), { max, applicationName: 'millrace-test' })
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

/** The last migration that this code also works without. */
const late = '0017_record_run_by_run.sql'

/** What migrations do: a column for every table, every function anew, an index. */
async function migrationOfTomorrow(db: Database): Promise<Migration> {
  const tables = await db.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'millrace'::regnamespace and relkind = 'r'`
  const functions = await db.sql<{ text: string }[]>`
    select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'millrace'::regnamespace`
  const text = [
    ...tables.map((table) => `alter table millrace.${table.name} add column of_tomorrow text default 'x';`),
    ...functions.map((each) => `${each.text};`),
    'create index of_tomorrow_idx on millrace.dag_run (of_tomorrow);',
  ].join('\n')
  return { name: '9999_of_tomorrow.sql', hash: 'h', text }
}

test('migrations run beside processes of the version before: no call and no run fails', async () => {
  const db = open()
  await migrate(
    db,
    new Set((await readMigrations()).map((each) => each.name).filter((each) => each !== late)),
  )
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
    await until('calls go on', () => calls >= wanted)
  }
  await progress(20)
  await Promise.all([migrate(open()), migrate(open()), progress(20)])
  await applyMigration(db, await migrationOfTomorrow(db))
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
  expect(await db.sql`select * from millrace.audit()`).toEqual([])
})

test('a table that somebody reads for long is waited for without keeping others out', async () => {
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

/** Where ends are noted, and where those of before are counted. */
const counting = ['0032_count_ends_and_claim_by_labels.sql', '0033_count_what_has_ended.sql'] as const

test('what has ended before is counted once, while other runs end', async () => {
  const old = `${name}_history`
  await admin.sql.unsafe(`create database ${old}`)
  const [db, other] = [open(old), open(old, 1)]
  const migrations = await readMigrations()
  const apply = async (file: string): Promise<void> =>
    applyMigration(db, migrations.find((each) => each.name === file) ?? expect.fail(file))
  const before = migrations.map((each) => each.name).filter((each) => !counting.some((file) => file === each))
  await migrate(db, new Set(before))
  await db.sql`insert into millrace.definition (hash, spec) values ('hash', '')`
  await db.sql`
    insert into millrace.dag (file_name, dag_name, definition_hash, summary) values ('demo', 'demo', 'hash', '{}')`

  async function end(status: 'success' | 'failed'): Promise<string> {
    await createRuns(db, [runRequest()])
    const [run] = await claimRuns(db, { owner: 'a', labels: {}, count: 1, leaseMs: 30_000, known: {} })
    const { runKey, token } = run ?? expect.fail('nothing to claim')
    await recordProgress(db, [{ runKey, token, steps: [], finish: { status, error: '' } }])
    return runKey
  }

  for (const status of ['success', 'success', 'failed', 'failed', 'success'] as const) await end(status)
  await apply(counting[0])
  const retried = await end('failed')
  await end('success')
  await retryRun(db, { runKey: retried, expectedAttempt: 1, dropSteps: [] })

  await other.sql.unsafe('begin; lock table millrace.dag_total in share mode')
  const migrating = apply(counting[1])
  await until('all of the history is read', async () => {
    const [row] = await other.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_locks
      where not granted and relation = 'millrace.dag_total'::regclass`
    return row?.waiting === 1
  })
  const begun = performance.now()
  await db.sql`update millrace.dag_run set priority = 1 where run_key = ${retried}`
  expect(performance.now() - begun).toBeLessThan(1_500)
  await other.sql.unsafe('commit')
  await migrating
  await end('success')
  await foldEnds(db, { limit: 100 })
  expect(await countState(db)).toMatchObject({ succeeded: 5, failed: 3, cancelled: 0, violations: 0 })
  const { dags } = await countByDag(db)
  expect(dags).toMatchObject([{ fileName: 'demo', succeeded: 5, failed: 3, cancelled: 0 }])
  expect(dags[0]?.lastSuccessAt).toBeGreaterThan(0)
  await Promise.all([db.close(), other.close()])
  await admin.sql.unsafe(`drop database ${old} with (force)`)
})
