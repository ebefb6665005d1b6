import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, inject, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { migrationState } from '#lib/db/migration-state.ts'
import { restoreBackup } from '#lib/db/restore.ts'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { urlOf } from '#tests/support/database-url.ts'
import { checkingResults } from '#tests/support/sql-results.ts'

/**
 * Backups that the programs of earlier versions wrote: `millrace backup` of a service with a run that succeeded, one
 * that failed after a retry, one with two child runs, one that waits for a runner with `region=nowhere`, a suspended
 * schedule and a user. The name is the last migration of that version. Add one with each release.
 */
const fixtures = new URL('fixtures/', import.meta.url)
const backups = readdirSync(fixtures).filter((name) => /^backup-\d+\.gz$/.test(name))

const server = inject('databaseServer')
const admin = connect(server, { max: 1, applicationName: 'millrace-test' })
afterAll(() => admin.close())

test.each(backups)('%s is restored to a working database of this version with all rows', async (file) => {
  const name = `millrace_older_${randomBytes(8).toString('hex')}`
  await admin.sql.unsafe(`create database ${name}`)
  const url = urlOf(server, name)
  const db = checkingResults(connect(url, { max: 2, applicationName: 'millrace-test' }))
  try {
    const lines = gunzipSync(readFileSync(new URL(file, fixtures)))
      .toString()
      .split('\n')
      .slice(0, -1)
    const open = async function* () {
      yield* lines
    }
    await restoreBackup(db, url, open, { replace: false })
    expect(await migrationState(db)).toMatchObject({ pending: [], changed: [], newer: [], isCurrent: true })
    const runs = await db.sql<{ run: string }[]>`
      select concat_ws(' ', dag_name, status, params_given) as run from millrace.dag_run order by run_key`
    expect(runs.map(({ run }) => run)).toEqual([
      'nightly success DAY="friday"',
      'broken failed',
      'parent success',
      'nightly success DAY="a"',
      'nightly success DAY="b"',
      'elsewhere not_started',
    ])
    expect(await db.sql`select name, role from millrace.app_user`).toEqual([
      { name: 'ann', role: 'operator' },
    ])
    expect(await db.sql`select file_name from millrace.dag where suspended_at is not null`).toEqual([
      { file_name: 'nightly' },
    ])
    const [first] = await db.sql<{ key: string }[]>`
      select run_key::text as key from millrace.dag_run where dag_name = 'nightly' order by run_key limit 1`
    const key = { runKey: first?.key ?? '', attempt: 1, step: 'show', stream: 'stdout' } as const
    const pieces = await Array.fromAsync(createPostgresLogStore(db).read(key, 0))
    expect(Buffer.concat(pieces).toString()).toBe('[rows of friday]\n')
    const claim = { owner: 'a', labels: { region: 'nowhere' }, count: 1, leaseMs: 30_000, known: {} }
    const [run] = await claimRuns(db, claim)
    const { runKey, token } = run ?? expect.fail('nothing to claim')
    const finish = { status: 'success', error: '' } as const
    expect(await recordProgress(db, [{ runKey, token, steps: [], finish }])).toEqual({ lost: [] })
    expect(await db.sql`select * from millrace.check_invariants()`).toEqual([])
  } finally {
    await db.close()
    await admin.sql.unsafe(`drop database ${name} with (force)`)
  }
})
