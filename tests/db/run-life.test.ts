import { expect, test } from 'vitest'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { dequeueRun } from '#lib/runs/stop/dequeue-run.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { renewLeases } from '#lib/runs/claim/renew-leases.ts'
import { retryRun } from '#lib/runs/start/retry-run.ts'
import { findStops } from '#lib/runs/stop/find-stops.ts'
import { stopRun } from '#lib/runs/stop/stop-run.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest as request } from '#tests/support/run-request.ts'

const { db } = await testDatabase()

const claim = (owner: string, count = 10) =>
  claimRuns(db, { owner, labels: {}, count, leaseMs: 30_000, known: {} })

async function finishAll(owner: string): Promise<void> {
  const runs = await claim(owner, 1_000)
  await recordProgress(
    db,
    runs.map(({ runKey, token }) => ({ runKey, token, steps: [], finish: { status: 'success', error: '' } })),
  )
}

test('a run is created once, claimed once, fenced by its token, and finished once', async () => {
  const wanted = request({ runId: 'one' })
  expect(await createRuns(db, [wanted, wanted])).toMatchObject([{ result: 'created' }, { result: 'exists' }])
  const [run] = await claim('a')
  expect(run).toMatchObject({ runId: 'one', token: '1', spec: 'steps: []', steps: [] })
  expect(await claim('b')).toEqual([])
  const { runKey = '' } = run ?? {}
  const item = { runKey, steps: [], finish: { status: 'success', error: '' } } as const
  expect(await recordProgress(db, [{ ...item, token: '0' }])).toEqual({ lost: [runKey] })
  expect(await recordProgress(db, [{ ...item, token: '1' }])).toEqual({ lost: [] })
  expect(await recordProgress(db, [{ ...item, token: '1' }])).toEqual({ lost: [runKey] })
  await expect(db.sql`update millrace.dag_run set error = 'x' where run_key = ${runKey}`).rejects.toThrow(
    'has ended',
  )
})

test('eight claimers share a thousand runs, and no run is claimed twice', async () => {
  await createRuns(
    db,
    Array.from({ length: 1_000 }, () => request()),
  )
  const owners = Array.from({ length: 8 }, (_, index) => `owner-${index}`)
  const taken = await Promise.all(
    owners.map(async (owner) => {
      const keys: string[] = []
      for (let runs = await claim(owner, 25); runs.length > 0; runs = await claim(owner, 25)) {
        keys.push(...runs.map((run) => run.runKey))
        await recordProgress(
          db,
          runs.map(({ runKey, token }) => ({
            runKey,
            token,
            steps: [],
            finish: { status: 'success', error: '' },
          })),
        )
      }
      return keys
    }),
  )
  const keys = taken.flat()
  expect(keys).toHaveLength(1_000)
  expect(new Set(keys).size).toBe(1_000)
})

test('a queue promotes one run after the other in order, and a dequeued run is kept as cancelled', async () => {
  const outcomes = await createRuns(
    db,
    ['q1', 'q2', 'q3'].map((runId) => request({ runId, mode: 'enqueue', queue: 'lane' })),
  )
  const queued = (index: number) => ({ runKey: outcomes[index]?.runKey ?? '', runId: 'q', dagName: 'demo' })
  await dequeueRun(db, queued(1))
  await expect(dequeueRun(db, queued(0))).rejects.toMatchObject({ code: 'not_found' })
  const [first, ...others] = await claim('a')
  expect(first?.runId).toBe('q1')
  expect(others).toEqual([])
  const { runKey = '', token = '' } = first ?? {}
  await recordProgress(db, [{ runKey, token, steps: [], finish: { status: 'success', error: '' } }])
  expect((await claim('a')).map((run) => run.runId)).toEqual(['q3'])
  await db.sql`
    update millrace.dag_run set lease_owner = null, lease_until = null, ready_at = now() where finished_at is null`
  await finishAll('a')
})

test('a singleton start is refused while a run is active', async () => {
  const two = await Promise.all(
    [1, 2].map(() => createRuns(db, [request({ dagName: 'lonely', singleton: true })])),
  )
  expect(
    two
      .flat()
      .map((outcome) => outcome.result)
      .sort(),
  ).toEqual(['already_running', 'created'])
  await finishAll('a')
})

test('the owner of a run finds a stop of it, and an unclaimed run is cancelled at once', async () => {
  const [, second] = await createRuns(db, [request({ runId: 's1' }), request({ runId: 's2', priority: -1 })])
  expect(await stopRun(db, { runKey: second?.runKey ?? '' })).toBe('cancelled')
  const [run] = await claim('a')
  const { runKey = '', token = '' } = run ?? {}
  expect(await findStops(db, [runKey])).toEqual([])
  expect(await stopRun(db, { runKey })).toBe('stopping')
  expect(await findStops(db, [runKey])).toEqual([{ runKey, at: expect.any(Number) as number }])
  const worker = { labels: {}, slots: 1, host: 'here', pid: 1, draining: false }
  const claims = [{ runKey, token }]
  expect(await renewLeases(db, { owner: 'a', claims, leaseMs: 30_000, worker })).toMatchObject({ lost: [] })
  await recordProgress(db, [{ runKey, token, steps: [], finish: { status: 'cancelled', error: '' } }])
  expect(await stopRun(db, { runKey })).toBe('not_running')
})

test('a retry starts a new attempt without the named steps, and only one of two callers wins', async () => {
  await createRuns(db, [request({ runId: 'again' })])
  const [run] = await claim('a')
  const { runKey = '', token = '' } = run ?? {}
  const step = (name: string, place: number, status: 'success' | 'failed') => ({
    name,
    place,
    status,
    phase: null,
    attempt: 1,
    retryCount: 0,
    doneCount: 1,
    waitUntil: null,
    exitCode: status === 'failed' ? 1 : 0,
    error: '',
    tolerated: false,
    outputs: { NAME: 'value' },
    conditions: [],
    startedAt: 1_700_000_000_000,
    finishedAt: 1_700_000_001_000,
  })
  const steps = [step('good', 0, 'success'), step('bad', 1, 'failed')]
  await recordProgress(db, [{ runKey, token, steps, finish: { status: 'failed', error: 'bad failed' } }])
  const retry = () => retryRun(db, { runKey, expectedAttempt: 1, dropSteps: ['bad'] })
  expect((await Promise.all([retry(), retry()])).sort()).toEqual(['retried', 'running'])
  const [next] = await claim('b')
  expect(next).toMatchObject({ attempt: 2, token: '2', steps: [steps[0]] })
  await recordProgress(db, [{ runKey, token: '2', steps: [], finish: { status: 'success', error: '' } }])
})
