import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { continueStops } from '#lib/runs/stop/continue-stops.ts'
import { listChildRuns } from '#lib/runs/children/list-child-runs.ts'
import { removeExpiredRuns } from '#lib/runs/retention/remove-expired-runs.ts'
import { stopRun } from '#lib/runs/stop/stop-run.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { plantTree } from '#tests/support/run-tree.ts'
import { until } from '#tests/support/until.ts'

const { db, open } = await testDatabase()

/** A connection within a transaction. */
async function heldOpen(): Promise<Database> {
  const held = open({ max: 1 })
  await held.sql.unsafe('begin')
  return held
}

/** Milliseconds. A statement that stops 5,000 runs takes a twentieth of this on an idle machine. */
const soon = limits.statementMsMax

async function timed<Result>(act: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const at = performance.now()
  const result = await act()
  return { result, ms: performance.now() - at }
}

const unstopped = async (): Promise<number> => {
  const [row] = await db.sql<{ count: number }[]>`
    select count(*)::int as count from millrace.dag_run where finished_at is null and stop_requested_at is null`
  return row?.count ?? -1
}

test('a stop of 20,000 runs takes several statements, none of which takes long', async () => {
  const { root, children } = await plantTree(db, { width: 100, depth: 199, owner: 'a' })
  const stop = await timed(() => stopRun(db, { runKey: root }))
  expect(stop.result).toBe('stopping')
  expect(stop.ms).toBeLessThan(soon)
  const [row] = await db.sql`
    select stop_requested_at is not null as stopping from millrace.dag_run where run_key = ${root}::bigint`
  expect(row).toEqual({ stopping: true })
  expect(await unstopped()).toBeGreaterThan(10_000)
  const { result, ms } = await timed(() => listChildRuns(db, children[0] ?? ''))
  expect(result).toHaveLength(199)
  expect(ms).toBeLessThan(soon)
  for (let rounds = 0, more = 1; more > 0; rounds++) {
    const step = await timed(() => continueStops(db, { limit: 5_000 }))
    more = step.result
    expect(step.ms).toBeLessThan(soon)
    expect(rounds).toBeLessThan(10)
  }
  expect(await unstopped()).toBe(0)
  await db.sql`
    update millrace.dag_run
    set status = 'cancelled', lease_owner = null, lease_until = null, finished_at = now() - interval '100 days'`
  const removal = await timed(() => removeExpiredRuns(db, { limit: 100 }))
  expect(removal.result).toHaveLength(20_001)
  expect(removal.ms).toBeLessThan(limits.longStatementMsMax)
}, 60_000)

test('a stop by a user counts as a second stop, a stop propagated by a parent does not', async () => {
  const { root, children } = await plantTree(db, { width: 1, depth: 1, owner: 'a' })
  const [child = ''] = children
  const stoppedAt = async (): Promise<unknown> => {
    const [row] = await db.sql`
      select stop_requested_at::text as at from millrace.dag_run where run_key = ${child}::bigint`
    return row?.['at']
  }
  await stopRun(db, { runKey: root })
  const first = await stoppedAt()
  await db.call('stop_child', BigInt(child))
  expect(await stoppedAt()).toBe(first)
  await stopRun(db, { runKey: child })
  expect(await stoppedAt()).not.toBe(first)
  await db.sql`delete from millrace.dag_run`
})

test('a child that is created while its grandparent is being stopped is stopped too', async () => {
  const { children, grandchildren } = await plantTree(db, { width: 1, depth: 1, owner: 'a' })
  const maker = await heldOpen()
  const parent = { runKey: grandchildren[0] ?? '', token: '1', step: 'call', round: 0 }
  await maker.call('create_runs', [
    runRequest({ definitionHash: 'hash', queue: null, trigger: 'child', parent }),
  ])
  const stopping = stopRun(db, { runKey: children[0] ?? '' })
  await until('the stop waits for the child that is being created', async () => {
    const rows = await db.sql`select from pg_stat_activity where wait_event_type = 'Lock'`
    return rows.length > 0
  })
  await maker.sql.unsafe('commit')
  expect(await stopping).toBe('stopping')
  const rows = await db.sql`
    select status from millrace.dag_run where parent_key = ${grandchildren[0] ?? ''}::bigint`
  expect(rows).toEqual([{ status: 'cancelled' }])
  await db.sql`delete from millrace.dag_run`
})
