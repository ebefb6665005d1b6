import { describe, expect, test } from 'vitest'
import { decideFiring, lateMsMax, type DueInstant } from '#lib/schedules/decide-firing.ts'

const hour = 3_600_000
const due = 500 * hour

const instant: DueInstant = {
  kind: 'start',
  dueMs: due,
  nowMs: due + 40,
  previousMs: due - hour,
  suspended: false,
  skipIfSuccessful: false,
  catchUp: { policy: 'none', windowSec: 7200 },
  overlapPolicy: 'skip',
  restartWaitMs: 0,
  latest: undefined,
  alive: undefined,
}

const atOnce = { act: 'start', queued: false, supersedes: false }
const inQueue = { ...atOnce, queued: true }

const ended = { status: 'success', startedMs: due - 1000, scheduledMs: undefined } as const

describe('start', () => {
  test('a DAG that never ran is started', () => {
    expect(decideFiring(instant)).toEqual(atOnce)
  })

  test('a DAG whose latest run has ended is started, however it ended', () => {
    for (const status of ['success', 'failed', 'cancelled', 'partial_success', 'queued'] as const) {
      expect(decideFiring({ ...instant, latest: { ...ended, status } })).toEqual(atOnce)
    }
  })

  test('nothing is started while the latest run is in progress', () => {
    for (const status of ['running', 'not_started'] as const) {
      expect(decideFiring({ ...instant, latest: { ...ended, status } })).toMatchObject({ act: 'pass over' })
    }
  })

  test('an instant is passed over when a run was started after it', () => {
    expect(decideFiring({ ...instant, latest: { ...ended, startedMs: due } })).toMatchObject({
      act: 'pass over',
    })
  })

  test('the run of the same instant is not created twice', () => {
    const latest = { status: 'success', startedMs: undefined, scheduledMs: due } as const
    expect(decideFiring({ ...instant, latest })).toMatchObject({ act: 'pass over' })
  })

  test('a suspended DAG is passed over', () => {
    expect(decideFiring({ ...instant, suspended: true })).toMatchObject({ act: 'pass over' })
  })

  test('an instant that is seen too late is passed over', () => {
    expect(decideFiring({ ...instant, nowMs: due + lateMsMax })).toEqual(atOnce)
    expect(decideFiring({ ...instant, nowMs: due + lateMsMax + 1 })).toMatchObject({ act: 'pass over' })
  })
})

describe('skipIfSuccessful', () => {
  const skipping = { ...instant, skipIfSuccessful: true }

  test('a manual success since the previous instant skips the next one', () => {
    expect(decideFiring({ ...skipping, latest: ended })).toMatchObject({ act: 'pass over' })
    expect(decideFiring({ ...instant, latest: ended })).toEqual(atOnce)
  })

  test('the run of the previous instant does not skip the next one', () => {
    const latest = { status: 'success', startedMs: due - hour + 20, scheduledMs: due - hour } as const
    expect(decideFiring({ ...skipping, latest })).toEqual(atOnce)
  })

  test('a failure, or a success before the previous instant, does not skip the next one', () => {
    expect(decideFiring({ ...skipping, latest: { ...ended, status: 'failed' } })).toEqual(atOnce)
    expect(decideFiring({ ...skipping, latest: { ...ended, startedMs: due - hour - 1 } })).toEqual(atOnce)
  })
})

describe('overlapPolicy', () => {
  const running = { ...ended, status: 'running' } as const

  test('all queues the run, whatever is in progress or was started since', () => {
    const all = { ...instant, overlapPolicy: 'all' } as const
    expect(decideFiring({ ...all, latest: running })).toEqual(inQueue)
    expect(decideFiring({ ...all, latest: { ...running, startedMs: due + 1 } })).toEqual(inQueue)
    expect(decideFiring(all)).toEqual(inQueue)
  })

  test('latest queues the run in place of those that wait', () => {
    expect(decideFiring({ ...instant, overlapPolicy: 'latest', latest: running })).toEqual({
      ...inQueue,
      supersedes: true,
    })
  })

  test('an instant still gets only one run, and skipIfSuccessful still applies', () => {
    const all = { ...instant, overlapPolicy: 'all', skipIfSuccessful: true } as const
    expect(decideFiring({ ...all, latest: { ...running, scheduledMs: due } }).act).toBe('pass over')
    expect(decideFiring({ ...all, latest: ended }).act).toBe('pass over')
  })
})

describe('catchup', () => {
  const missed = { ...instant, nowMs: due + hour }
  const policy = (name: 'none' | 'last' | 'all', windowSec = 7200) => ({ policy: name, windowSec })

  test('none ignores a missed instant', () => {
    expect(decideFiring(missed).act).toBe('pass over')
  })

  test('last starts a missed instant as if it were on time', () => {
    const last = { ...missed, catchUp: policy('last') }
    expect(decideFiring(last)).toEqual(atOnce)
    expect(decideFiring({ ...last, latest: { ...ended, startedMs: due + 1 } }).act).toBe('pass over')
    expect(decideFiring({ ...last, latest: { ...ended, status: 'running' } }).act).toBe('pass over')
  })

  test('all queues a missed instant, even if a run was started since', () => {
    const all = { ...missed, catchUp: policy('all') }
    expect(decideFiring(all)).toEqual(inQueue)
    expect(decideFiring({ ...all, latest: { ...ended, status: 'running', startedMs: due + 1 } })).toEqual(
      inQueue,
    )
  })

  test('all queues an instant on time only behind missed ones', () => {
    const all = { ...instant, catchUp: policy('all') }
    expect(decideFiring({ ...all, latest: { ...ended, status: 'queued' } })).toEqual(inQueue)
    expect(decideFiring({ ...all, latest: ended })).toEqual(atOnce)
    expect(decideFiring({ ...all, latest: { ...ended, status: 'running' } }).act).toBe('pass over')
  })

  test('nothing is caught up outside the window or for a suspended DAG, and no stop is', () => {
    const all = { ...missed, catchUp: policy('all', 3600) }
    expect(decideFiring(all)).toEqual(inQueue)
    expect(decideFiring({ ...all, nowMs: due + hour + 1 }).act).toBe('pass over')
    expect(decideFiring({ ...all, suspended: true }).act).toBe('pass over')
    const alive = { runKey: '7', finishedMs: undefined }
    expect(decideFiring({ ...all, kind: 'stop', alive }).act).toBe('pass over')
  })

  test('a window shorter than a minute still allows the minute in which ticks come', () => {
    const short = { ...instant, catchUp: policy('all', 1), nowMs: due + 60_000 }
    expect(decideFiring(short)).toEqual(atOnce)
    expect(decideFiring({ ...short, nowMs: due + 60_001 }).act).toBe('pass over')
  })
})

describe('stop', () => {
  const stopping = { ...instant, kind: 'stop' } as const

  test('the run that was in progress at the instant is stopped, once', () => {
    const alive = { runKey: '7', finishedMs: undefined }
    expect(decideFiring({ ...stopping, alive })).toEqual({ act: 'stop', runKey: '7', again: false })
    expect(decideFiring({ ...stopping, alive: { ...alive, finishedMs: due + 10 } })).toMatchObject({
      act: 'pass over',
    })
  })

  test('nothing is stopped when no run was in progress', () => {
    expect(decideFiring(stopping)).toMatchObject({ act: 'pass over' })
  })
})

describe('restart', () => {
  const restarting = { ...instant, kind: 'restart', restartWaitMs: 2000 } as const

  test('the run is stopped, and the instant stays due', () => {
    const alive = { runKey: '7', finishedMs: undefined }
    expect(decideFiring({ ...restarting, alive })).toEqual({ act: 'stop', runKey: '7', again: true })
  })

  test('the new run waits after the end of the old one', () => {
    const alive = { runKey: '7', finishedMs: due + 30 }
    expect(decideFiring({ ...restarting, alive })).toEqual({ act: 'wait', forMs: 1990 })
    expect(decideFiring({ ...restarting, alive, nowMs: due + 2030 })).toEqual(atOnce)
  })

  test('a DAG that does not run is not started', () => {
    expect(decideFiring(restarting)).toMatchObject({ act: 'pass over' })
  })
})
