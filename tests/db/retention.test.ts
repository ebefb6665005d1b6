import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { retryRun } from '#lib/runs/start/retry-run.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { runTick } from '#lib/tick/run-tick.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { db } = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'millrace-retention-'))
afterAll(() => rm(folder, { recursive: true }))
const logs = createFileLogStore(folder)

async function tick(): Promise<number> {
  const log = createLog({ level: 'silent', part: 'tick' })
  const parts = { db, log, logs, definitions: createDefinitionReader(), leaseMs: 30_000, zone: 'UTC' }
  return (await runTick(parts)).removed
}

const claim = async () =>
  (await claimRuns(db, { owner: 'a', labels: {}, count: 10, leaseMs: 30_000, known: {} }))[0]

/** A run that ended so many days ago. */
async function ended(days: number, histRetentionDays: number): Promise<string> {
  const [outcome] = await createRuns(db, [runRequest({ histRetentionDays })])
  const run = await claim()
  const { runKey = '', token = '' } = run ?? {}
  expect(runKey).toBe(outcome?.runKey)
  await logs.append({ runKey, attempt: 1, step: 's', stream: 'stdout' }, 0, Buffer.from('a line\n'))
  await recordProgress(db, [{ runKey, token, steps: [], finish: { status: 'success', error: '' } }])
  await db.sql.unsafe(`
    alter table millrace.dag_run disable trigger dag_run_transition;
    update millrace.dag_run set expires_at = expires_at - interval '${days} days' where run_key = ${runKey};
    alter table millrace.dag_run enable trigger dag_run_transition;`)
  return runKey
}

const exists = async (runKey: string) =>
  (await db.sql`select 1 from millrace.dag_run where run_key = ${runKey}`).length === 1

test('runs are removed with their logs when their days are over, and no sooner', async () => {
  const [old, young, kept] = [await ended(31, 30), await ended(29, 30), await ended(9_999, -1)]
  expect(await tick()).toBe(1)
  expect(await Promise.all([old, young, kept].map(exists))).toEqual([false, true, true])
  const key = (runKey: string) => ({ runKey, attempt: 1, step: 's', stream: 'stdout' }) as const
  expect((await logs.end(key(old))).bytes).toBe(0)
  expect((await logs.end(key(young))).bytes).toBe(7)
})

test('a run that has just ended is kept for a while, even with a retention of zero days', async () => {
  const runKey = await ended(0, 0)
  expect(await tick()).toBe(0)
  expect(await exists(runKey)).toBe(true)
})

test('a retried run is kept while it is active', async () => {
  const runKey = await ended(31, 30)
  expect(await retryRun(db, { runKey, expectedAttempt: 1, dropSteps: [] })).toBe('retried')
  expect(await tick()).toBe(0)
  expect(await exists(runKey)).toBe(true)
})

test('a tree of runs is removed as a whole, and not while a part of it is active', async () => {
  await db.sql`delete from millrace.dag_run`
  await createRuns(db, [runRequest({ histRetentionDays: 1 })])
  const parent = await claim()
  const { runKey = '', token = '' } = parent ?? {}
  const [child] = await createRuns(db, [
    runRequest({ parent: { runKey, token, step: 'call', round: 0 }, trigger: 'child' }),
  ])
  const claimed = await claim()
  const finish = { status: 'success', error: '' } as const
  await recordProgress(db, [{ runKey, token, steps: [], finish }])
  await db.sql.unsafe(`
    alter table millrace.dag_run disable trigger dag_run_transition;
    update millrace.dag_run set expires_at = now() - interval '1 day' where run_key = ${runKey};
    alter table millrace.dag_run enable trigger dag_run_transition;`)
  expect(await tick()).toBe(0)
  await recordProgress(db, [{ runKey: child?.runKey ?? '', token: claimed?.token ?? '', steps: [], finish }])
  expect(await tick()).toBe(2)
  expect(await Promise.all([runKey, child?.runKey ?? ''].map(exists))).toEqual([false, false])
})

test('a runner that was silent for an hour is forgotten, unless it still owns a run', async () => {
  await db.sql`delete from millrace.dag_run`
  const runner = (id: string, age: string) => db.sql`
    insert into millrace.worker (id, heartbeat_at) values (${id}, now() - ${age}::interval)`
  await Promise.all([runner('gone', '2 hours'), runner('a', '2 hours'), runner('young', '50 minutes')])
  await createRuns(db, [runRequest()])
  await claim()
  await tick()
  const left = await db.sql<{ id: string }[]>`select id from millrace.worker order by id`
  expect(left.map(({ id }) => id)).toEqual(['a', 'young'])
})

/** Runs of a DAG that keeps so many, oldest first; all but the last ones have ended. */
async function runsOfKeeper(dagName: string, keep: number, count: number, alive: number): Promise<string[]> {
  const keys: string[] = []
  for (let n = 0; n < count; n++) {
    const request = runRequest({ dagName, queue: dagName, histRetentionRuns: keep, definitionHash: 'hash' })
    const [outcome] = await createRuns(db, [request])
    const { runKey = '', token = '' } = (await claim()) ?? {}
    expect(runKey).toBe(outcome?.runKey)
    keys.push(runKey)
    const finish = { status: 'success', error: '' } as const
    if (n < count - alive) await recordProgress(db, [{ runKey, token, steps: [], finish }])
  }
  return keys
}

test('the oldest runs beyond the limit of a DAG are removed with their logs', async () => {
  const keys = await runsOfKeeper('keeper', 3, 5, 0)
  const key = { runKey: keys[0] ?? '', attempt: 1, step: 's', stream: 'stdout' } as const
  await logs.append(key, 0, Buffer.from('a line\n'))
  expect(await tick()).toBe(2)
  expect(await Promise.all(keys.map(exists))).toEqual([false, false, true, true, true])
  expect((await logs.end(key)).bytes).toBe(0)
  expect(await tick()).toBe(0)
})

test('an active run counts for the limit, but stays until it has ended', async () => {
  const keys = await runsOfKeeper('slow-keeper', 1, 3, 3)
  expect(await tick()).toBe(0)
  await db.sql`select millrace.stop_run(${keys[0] ?? ''}::bigint)`
  await db.sql`
    update millrace.dag_run set status = 'cancelled', finished_at = now(), lease_owner = null, lease_until = null
    where run_key = ${keys[0] ?? ''}`
  expect(await tick()).toBe(1)
  expect(await Promise.all(keys.map(exists))).toEqual([false, true, true])
})
