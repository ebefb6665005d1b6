import { beforeEach, expect, test } from 'vitest'
import { claimRuns, type ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import type { KnownDefinitions } from '#lib/runs/read/read-definition.ts'
import { createRuns, type CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import { retryRun } from '#lib/runs/start/retry-run.ts'
import { stopRun } from '#lib/runs/stop/stop-run.ts'
import { takeOverLostRuns } from '#lib/runs/claim/take-over-lost-runs.ts'
import { undoClaims } from '#lib/runs/claim/undo-claims.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'

const { db } = await testDatabase()

/** The opening steps that a runner names if it knows the definition of {@link runRequest}. */
const known = { hash: [{ name: 'a', place: 0 }] }
const begun = { name: 'a', place: 0, status: 'running', phase: 'executing', attempt: 1, atStart: true }

beforeEach(async () => {
  await db.sql`delete from millrace.dag_run`
})

async function make(changes: Partial<CreateRunRequest> = {}): Promise<string> {
  const [outcome] = await createRuns(db, [runRequest(changes)])
  return outcome?.runKey ?? ''
}

async function claim(owner: string, names: KnownDefinitions = known): Promise<ClaimedRun | undefined> {
  const [run] = await claimRuns(db, { owner, labels: {}, count: 1, leaseMs: 30_000, known: names })
  return run
}

async function stepsOf(runKey: string): Promise<unknown> {
  return await db.sql`
    select s.name, s.place, s.status, s.phase, s.attempt, s.started_at = r.started_at as "atStart"
    from millrace.dag_run_step s join millrace.dag_run r using (run_key)
    where s.run_key = ${runKey}::bigint`
}

test('the first claim of a run starts its opening steps, and a later claim finds them running', async () => {
  const runKey = await make()
  expect(await claim('a')).toMatchObject({ spec: undefined, steps: [], begun: known.hash })
  expect(await stepsOf(runKey)).toEqual([begun])
  await db.sql`update millrace.dag_run set lease_until = now() - interval '1 hour'`
  expect(await takeOverLostRuns(db, { limit: 1, leaseMs: 0 })).toBe(1)
  const step = { name: 'a', status: 'running' }
  expect(await claim('b')).toMatchObject({ token: '2', begun: [], steps: [step] })
})

test('a claim starts no steps of a definition that the runner does not name', async () => {
  await make()
  expect(await claim('a', { other: known.hash })).toMatchObject({ spec: 'steps: []', begun: [] })
})

test('a claim starts no steps of a local DAG', async () => {
  await make({ document: 'local' })
  expect(await claim('a')).toMatchObject({ begun: [] })
})

test('a claim starts no steps of a run that is being stopped', async () => {
  await make()
  await db.sql`update millrace.dag_run set stop_requested_at = now()`
  expect(await claim('a')).toMatchObject({ token: '1', begun: [] })
})

test('a claim starts no steps of a retried run, even if it is the first claim', async () => {
  const runKey = await make()
  expect(await stopRun(db, { runKey })).toBe('cancelled')
  await retryRun(db, { runKey, expectedAttempt: 1, dropSteps: [] })
  expect(await claim('a')).toMatchObject({ token: '1', attempt: 2, begun: [] })
})

test('a runner of the previous version may name only hashes', async () => {
  await make()
  const answer = await db.call('claim_runs', 'a', {}, 1, 30_000, ['hash'])
  expect(answer).toMatchObject([{ spec: null, begun: [] }])
})

test('a claim that is undone has started no steps', async () => {
  const runKey = await make()
  await claim('a')
  await undoClaims(db, 'a', [{ runKey, token: '1' }])
  expect(await stepsOf(runKey)).toEqual([])
  expect(await claim('b')).toMatchObject({ runKey, token: '2', begun: [], steps: [] })
})

test('a claim of another owner or with another token is not undone', async () => {
  const runKey = await make()
  await claim('a')
  await undoClaims(db, 'b', [{ runKey, token: '1' }])
  await undoClaims(db, 'a', [{ runKey, token: '2' }])
  expect(await stepsOf(runKey)).toEqual([begun])
  expect(await claim('b')).toBeUndefined()
})
