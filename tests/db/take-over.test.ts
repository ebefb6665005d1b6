import { beforeEach, expect, test } from 'vitest'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { claimRuns, type ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { expireLeases } from '#lib/runs/claim/expire-leases.ts'
import { continueStops } from '#lib/runs/stop/continue-stops.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { renewLeases } from '#lib/runs/claim/renew-leases.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { takeOverLostRuns } from '#lib/runs/claim/take-over-lost-runs.ts'
import { runTick } from '#lib/tick/run-tick.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { db } = await testDatabase()
const leaseMs = 30_000
/** The server of the tests has just started: without a wait after its start it counts as never down. */
const takeOver = () => takeOverLostRuns(db, { limit: 100, leaseMs: 0 })

async function claimAs(owner: string): Promise<ClaimedRun | undefined> {
  const [run] = await claimRuns(db, { owner, labels: {}, count: 1, leaseMs, known: {} })
  return run
}

async function loseLease(runKey: string): Promise<void> {
  await db.sql`update millrace.dag_run set lease_until = now() - interval '1 second' where run_key = ${runKey}`
}

async function stateOf(runKey: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await db.sql`
    select status, error, lease_owner as owner, lost_count as lost from millrace.dag_run where run_key = ${runKey}`
  return row
}

let runKey = ''
beforeEach(async () => {
  await db.sql`delete from millrace.dag_run`
  const [outcome] = await createRuns(db, [runRequest()])
  runKey = outcome?.runKey ?? ''
})

test('a tick takes over nothing while owners may not have had time to renew', async () => {
  await claimAs('a')
  await loseLease(runKey)
  const skip = (): void => undefined
  const parts = {
    db,
    log: { debug: skip, info: skip, warn: skip, error: skip },
    logs: createPostgresLogStore(db),
    definitions: createDefinitionReader(),
    leaseMs: 0,
    zone: 'UTC',
  }
  expect((await runTick({ ...parts, ownersHadTime: false })).takenOver).toBe(0)
  expect((await runTick(parts)).takenOver).toBe(1)
})

test('a run with a valid lease is never taken over', async () => {
  await claimAs('a')
  expect(await takeOver()).toBe(0)
  expect(await stateOf(runKey)).toMatchObject({ owner: 'a', lost: 0 })
})

test('a run with an expired lease goes to another runner, and writes of the first are refused', async () => {
  const first = await claimAs('a')
  await loseLease(runKey)
  expect(await takeOver()).toBe(1)
  const second = await claimAs('b')
  expect(second?.token).not.toBe(first?.token)
  const worker = { labels: {}, slots: 1, host: 'here', pid: 1, draining: false }
  const claims = [{ runKey, token: first?.token ?? '' }]
  expect(await renewLeases(db, { owner: 'a', claims, leaseMs, worker })).toMatchObject({ lost: [runKey] })
  const finish = { status: 'success', error: '' } as const
  const late = { runKey, token: first?.token ?? '', steps: [], finish }
  expect(await recordProgress(db, [late])).toEqual({ lost: [runKey] })
  expect(await stateOf(runKey)).toMatchObject({ status: 'running', owner: 'b' })
})

/** So many runners in a row claim the run and die. */
async function loseRunners(count: number): Promise<void> {
  for (let loss = 1; loss <= count; loss++) {
    expect((await claimAs(`runner-${loss}`))?.lostCount).toBe(loss - 1)
    await loseLease(runKey)
    await takeOver()
  }
}

test('a run that loses its runner three times in a row can be claimed once more, to be ended', async () => {
  await loseRunners(3)
  expect(await stateOf(runKey)).toMatchObject({ status: 'running', owner: null, lost: 3 })
  const last = await claimAs('last')
  expect(last?.lostCount).toBe(3)
  // The end of a handler does not reset the count of losses.
  await recordProgress(db, [{ runKey, token: last?.token ?? '', steps: [], run: { survived: true } }])
  expect(await stateOf(runKey)).toMatchObject({ lost: 3 })
})

test('a run that loses the runner that was to end it fails with its steps', async () => {
  await loseRunners(3)
  await claimAs('last')
  await db.sql`
    insert into millrace.dag_run_step (run_key, name, place, status, phase)
    values (${runKey}, 'poison', 0, 'running', 'executing')`
  await loseLease(runKey)
  await takeOver()
  expect(await stateOf(runKey)).toMatchObject({
    status: 'failed',
    error: 'the run lost its runner three times in a row',
  })
  expect(await db.sql`select name, status, error from millrace.dag_run_step`).toEqual([
    { name: 'poison', status: 'failed', error: 'runner lost' },
  ])
})

test('the third loss of a run stops its children, and the fourth does not stop them again', async () => {
  const parent = await claimAs('runner-1')
  const [made] = await createRuns(db, [
    runRequest({ queue: null, parent: { runKey, token: parent?.token ?? '', step: 'call', round: 0 } }),
  ])
  const child = made?.runKey ?? ''
  expect((await claimAs('healthy'))?.runKey).toBe(child)
  const stopOf = async (): Promise<unknown> => {
    await continueStops(db, { limit: 100 })
    const [row] = await db.sql`
      select stop_requested_at::text as at from millrace.dag_run where run_key = ${child}::bigint`
    return row?.['at']
  }
  await loseLease(runKey)
  await takeOver()
  for (const loss of [2, 3]) {
    expect(await stopOf()).toBeNull()
    await claimAs(`runner-${loss}`)
    await loseLease(runKey)
    await takeOver()
  }
  const first = await stopOf()
  expect(first).not.toBeNull()
  await claimAs('last')
  await loseLease(runKey)
  await takeOver()
  expect(await stopOf()).toBe(first)
})

test('after the server was down, owners have the time of a lease to come back', async () => {
  await claimAs('a')
  await loseLease(runKey)
  expect(await takeOverLostRuns(db, { limit: 100, leaseMs: 86_400_000 })).toBe(0)
  expect(await takeOver()).toBe(1)
})

test('after a start without earlier owners, nothing waits for a lease', async () => {
  await claimAs('a')
  await expireLeases(db)
  expect(await takeOverLostRuns(db, { limit: 100, leaseMs: 86_400_000 })).toBe(1)
  expect(await claimAs('b')).toMatchObject({ runKey })
})
