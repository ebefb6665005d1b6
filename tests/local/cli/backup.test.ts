import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { messageOf } from '#lib/core/errors.ts'
import { connect, type Database } from '#lib/db/client.ts'
import { makeTables } from '#lib/db/migrate.ts'
import { migrationState } from '#lib/db/migration-state.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { takeOverLostRuns } from '#lib/runs/claim/take-over-lost-runs.ts'
import { runnerKit } from '#tests/e2e/runner-kit.ts'
import { millrace } from '#tests/support/command-line.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { until } from '#tests/support/until.ts'

const { db, url, folder, runner, start, finished, printed } = await runnerKit(({ db: own }) =>
  createPostgresLogStore(own),
)
const name = `millrace_restored_${randomBytes(8).toString('hex')}`
const file = join(folder, 'backup.gz')
/** Taken while a run was active. */
const liveFile = join(folder, 'live.gz')
const admin = connect(inject('databaseServer'), { max: 1, applicationName: 'millrace-test' })
const elsewhere = urlOf(inject('databaseServer'), name)
let restored: Database

beforeAll(async () => {
  await admin.sql.unsafe(`create database ${name}`)
  restored = connect(elsewhere, { max: 4, applicationName: 'millrace-test' })
})

afterAll(async () => {
  await restored.close()
  await admin.sql.unsafe(`drop database ${name} with (force)`)
  await admin.close()
})

async function call(command: 'backup' | 'restore', databaseUrl: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await millrace([command, ...args, '--json'], { DATABASE_URL: databaseUrl })
  if (code !== 0) throw new Error(stderr.trim())
  return stdout
}

/** A digest of all rows, per table. */
async function contents(of: Database): Promise<Record<string, string>> {
  const tables = await of.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'millrace'::regnamespace and relkind = 'r'
      and relname not in ('migration', 'applied_function', 'worker') order by 1`
  const digests: Record<string, string> = {}
  for (const { name: table } of tables) {
    const [row] = await of.sql.unsafe<{ digest: string }[]>(`
      select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by t::text)), '') as digest
      from millrace.${table} t`)
    digests[table] = row?.digest ?? ''
  }
  return digests
}

test('a backup taken during a run is a complete and consistent snapshot', async () => {
  const { stop } = runner()
  const odd = [
    'steps:',
    '  - name: odd',
    '    command: \'printf "tab\\\\ttab\\\\\\\\ back\\\\n\\\\\\\\.\\\\n\\\\\\\\N ü"\'',
  ]
  await finished(await start(odd, { params: 'A=\\N B="new\nline"' }))
  await finished(await start(['steps:', '  - name: long', '    command: seq 100000', '  - exit 3']))
  await createApiKey(db, { name: 'ci', role: 'operator', createdBy: 'test', expiresInDays: undefined })
  const long = await start(['steps:', '  - name: wait', '    command: echo begun; sleep 60'])
  await printed(long, 'wait', 'begun')
  await call('backup', url, liveFile)
  await stop()
  const report = await call('restore', elsewhere, liveFile)
  expect(JSON.parse(report)).toMatchObject({ rows: { dag_run: 3, api_key: 1, audit_entry: 0 } })
  expect(statSync(liveFile).mode & 0o777).toBe(0o600)
  expect(await restored.sql`select * from millrace.check_invariants()`).toEqual([])
  const [run] =
    await restored.sql`select status, claim_token::int from millrace.dag_run where run_key = ${long}`
  expect(run).toEqual({ status: 'running', claim_token: 1 })
})

test('a restored database equals the original, and its sequences continue', async () => {
  await call('backup', url, file)
  await call('restore', elsewhere, file, '--replace')
  expect(await contents(restored)).toEqual(await contents(db))
  const keyOf = async (of: Database): Promise<number> => {
    const [row] = await of.sql<{ key: number }[]>`
      insert into millrace.dag_run (run_id, dag_name, definition_hash, status, trigger_type, ready_at)
      select 'next', 'd', definition_hash, 'not_started', 'api', now() from millrace.dag_run limit 1
      returning run_key::int as key`
    return row?.key ?? 0
  }
  const [{ last } = { last: 0 }] = await restored.sql<{ last: number }[]>`
    select max(run_key)::int as last from millrace.dag_run`
  expect(await keyOf(restored)).toBe(last + 1)
})

test('a backup can be piped into a restore', async () => {
  const command = '"$NODE" local/millrace.ts'
  const line = `DATABASE_URL=$FROM ${command} backup - | DATABASE_URL=$TO ${command} restore - --replace`
  const env = { ...process.env, NODE: process.execPath, FROM: url, TO: elsewhere }
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], { env })
  expect(stdout).toMatch(/^\d+ DAGs and \d+ runs are restored\n$/)
  expect(stderr).toMatch(/^the backup contains \d+ DAGs and \d+ runs\n$/)
  expect(await contents(restored)).toEqual(await contents(db))
})

test('a restore refuses to replace a database that a live runner uses', async () => {
  await restored.sql`insert into millrace.worker (id) values ('busy')`
  await expect(call('restore', elsewhere, file, '--replace')).rejects.toThrow('stop the runners first (busy)')
  expect(await restored.sql`select id from millrace.worker`).toEqual([{ id: 'busy' }])
  await restored.sql`update millrace.worker set heartbeat_at = now() - interval '1 minute'`
})

test('a run that was active in the backup is taken over and finished after a restore', async () => {
  await call('restore', elsewhere, liveFile, '--replace')
  expect(await takeOverLostRuns(restored, { limit: 10, leaseMs: 30_000 })).toBe(1)
  const other = runner({ db: restored, logs: createPostgresLogStore(restored) })
  await until('no run is left', async () => {
    const [row] = await restored.sql<{ open: number }[]>`
      select count(*)::int as open from millrace.dag_run where finished_at is null`
    return row?.open === 0
  })
  await other.stop()
  expect(await restored.sql`select * from millrace.check_invariants()`).toEqual([])
})

test('a restore migrates an older backup to this version', async () => {
  const [head = '', ...rest] = gunzipSync(readFileSync(file)).toString().split('\n')
  const { migrations, ...others } = JSON.parse(head) as { migrations: string[] }
  const before = migrations.filter((migration) => migration < '0006')
  expect(before.length).toBeLessThan(migrations.length)
  // As written before migration 0006: without the columns that came later.
  const known = new Set(before.length > 0 ? await columnsAfter(before) : [])
  const older: string[] = [JSON.stringify({ ...others, migrations: before })]
  const rows: Record<string, number> = {}
  let kept: number[] = []
  let table = ''
  for (const line of rest.slice(0, -2)) {
    const value = JSON.parse(line) as { table: string; columns: string[] } | (string | null)[]
    if (!Array.isArray(value)) {
      table = value.table
      kept = value.columns.flatMap((column, index) => (known.has(`${table}.${column}`) ? [index] : []))
      if (kept.length === 0) continue
      rows[table] = 0
      older.push(JSON.stringify({ table, columns: kept.map((index) => value.columns[index]) }))
    } else if (kept.length > 0) {
      rows[table] = (rows[table] ?? 0) + 1
      older.push(JSON.stringify(kept.map((index) => value[index])))
    }
  }
  const olderFile = join(folder, 'older.gz')
  writeFileSync(olderFile, gzipSync([...older, JSON.stringify({ rows }), ''].join('\n')))
  await call('restore', elsewhere, olderFile, '--replace')
  const now = await contents(restored)
  expect(now['dag_run_step']).toBe((await contents(db))['dag_run_step'])
  expect(await migrationState(restored)).toMatchObject({ pending: [], changed: [], newer: [] })
})

/** Every `table.column` of a database with these migrations. */
async function columnsAfter(migrations: readonly string[]): Promise<string[]> {
  await restored.sql`drop schema millrace cascade`
  await makeTables(restored, new Set(migrations))
  const rows = await restored.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'millrace'`
  return rows.map((row) => row.name)
}

test('an incomplete, damaged or newer backup is refused and changes nothing', async () => {
  const whole = gunzipSync(readFileSync(file))
  const before = await contents(restored)
  const attempt = async (bytes: Buffer, ...args: string[]): Promise<string> => {
    const bad = join(folder, 'bad.gz')
    writeFileSync(bad, bytes)
    return await call('restore', elsewhere, bad, ...args).then(() => 'restored', messageOf)
  }
  expect(await attempt(gzipSync(whole))).toMatch(/has a schema millrace already/)
  expect(await attempt(gzipSync(Buffer.from('something')), '--replace')).toMatch(/is not a backup/)
  expect(await attempt(readFileSync(file).subarray(0, 500), '--replace')).toMatch(/unexpected end of file/)
  const newer = whole.toString('latin1').replace('"0001_', '"9999_of_tomorrow.sql","0001_')
  expect(await attempt(gzipSync(Buffer.from(newer, 'latin1')), '--replace')).toMatch(
    /newer than this program/,
  )
  const cut = whole.subarray(0, whole.length - 200)
  expect(await attempt(gzipSync(cut), '--replace')).toMatch(/is incomplete/)
  const lines = whole.toString('latin1').split('\n')
  const without = lines
    .toSpliced(
      lines.findIndex((line) => line.startsWith('[')),
      1,
    )
    .join('\n')
  expect(await attempt(gzipSync(Buffer.from(without, 'latin1')), '--replace')).toMatch(
    /is damaged: \w+ does not have/,
  )
  expect(await contents(restored)).toEqual(before)
})
