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

  test('a run that was started after the instant stands for it', () => {
    expect(decideFiring({ ...instant, latest: { ...ended, startedMs: due } })).toMatchObject({
      act: 'pass over',
    })
  })

  test('the run of the same instant is not made twice', () => {
    const latest = { status: 'success', startedMs: undefined, scheduledMs: due } as const
    expect(decideFiring({ ...instant, latest })).toMatchObject({ act: 'pass over' })
  })

  test('a suspended DAG is passed over', () => {
    expect(decideFiring({ ...instant, suspended: true })).toMatchObject({ act: 'pass over' })
  })

  test('an instant that nobody saw in time is not made up for', () => {
    expect(decideFiring({ ...instant, nowMs: due + lateMsMax })).toEqual(atOnce)
    expect(decideFiring({ ...instant, nowMs: due + lateMsMax + 1 })).toMatchObject({ act: 'pass over' })
  })
})

describe('skipIfSuccessful', () => {
  const skipping = { ...instant, skipIfSuccessful: true }

  test('a success by hand since the instant before holds the next one back', () => {
    expect(decideFiring({ ...skipping, latest: ended })).toMatchObject({ act: 'pass over' })
    expect(decideFiring({ ...instant, latest: ended })).toEqual(atOnce)
  })

  test('the run that the instant before made does not', () => {
    const latest = { status: 'success', startedMs: due - hour + 20, scheduledMs: due - hour } as const
    expect(decideFiring({ ...skipping, latest })).toEqual(atOnce)
  })

  test('neither does a failure, nor a success before that', () => {
    expect(decideFiring({ ...skipping, latest: { ...ended, status: 'failed' } })).toEqual(atOnce)
    expect(decideFiring({ ...skipping, latest: { ...ended, startedMs: due - hour - 1 } })).toEqual(atOnce)
  })
})

describe('overlapPolicy', () => {
  const underWay = { ...ended, status: 'running' } as const

  test('all: the run waits in the queue, whatever is in progress or was started since', () => {
    const all = { ...instant, overlapPolicy: 'all' } as const
    expect(decideFiring({ ...all, latest: underWay })).toEqual(inQueue)
    expect(decideFiring({ ...all, latest: { ...underWay, startedMs: due + 1 } })).toEqual(inQueue)
    expect(decideFiring(all)).toEqual(inQueue)
  })

  test('latest: it takes the place of those that wait', () => {
    expect(decideFiring({ ...instant, overlapPolicy: 'latest', latest: underWay })).toEqual({
      ...inQueue,
      supersedes: true,
    })
  })

  test('the run of the same instant is still not made twice, and a success may hold it back', () => {
    const all = { ...instant, overlapPolicy: 'all', skipIfSuccessful: true } as const
    expect(decideFiring({ ...all, latest: { ...underWay, scheduledMs: due } }).act).toBe('pass over')
    expect(decideFiring({ ...all, latest: ended }).act).toBe('pass over')
  })
})

describe('catchup', () => {
  const missed = { ...instant, nowMs: due + hour }
  const policy = (name: 'none' | 'last' | 'all', windowSec = 7200) => ({ policy: name, windowSec })

  test('none: what was missed stays so', () => {
    expect(decideFiring(missed).act).toBe('pass over')
  })

  test('last: it is started as if it were in time', () => {
    const last = { ...missed, catchUp: policy('last') }
    expect(decideFiring(last)).toEqual(atOnce)
    expect(decideFiring({ ...last, latest: { ...ended, startedMs: due + 1 } }).act).toBe('pass over')
    expect(decideFiring({ ...last, latest: { ...ended, status: 'running' } }).act).toBe('pass over')
  })

  test('all: it waits in the queue for those before it, even if one was started since', () => {
    const all = { ...missed, catchUp: policy('all') }
    expect(decideFiring(all)).toEqual(inQueue)
    expect(decideFiring({ ...all, latest: { ...ended, status: 'running', startedMs: due + 1 } })).toEqual(
      inQueue,
    )
  })

  test('all: an instant that comes in time waits only behind those that are made up for', () => {
    const all = { ...instant, catchUp: policy('all') }
    expect(decideFiring({ ...all, latest: { ...ended, status: 'queued' } })).toEqual(inQueue)
    expect(decideFiring({ ...all, latest: ended })).toEqual(atOnce)
    expect(decideFiring({ ...all, latest: { ...ended, status: 'running' } }).act).toBe('pass over')
  })

  test('nothing is made up for beyond the window, nor for a suspended DAG, nor is a stop', () => {
    const all = { ...missed, catchUp: policy('all', 3600) }
    expect(decideFiring(all)).toEqual(inQueue)
    expect(decideFiring({ ...all, nowMs: due + hour + 1 }).act).toBe('pass over')
    expect(decideFiring({ ...all, suspended: true }).act).toBe('pass over')
    const alive = { runKey: '7', finishedMs: undefined }
    expect(decideFiring({ ...all, kind: 'stop', alive }).act).toBe('pass over')
  })

  test('a window of less than a minute still leaves the minute in which ticks come', () => {
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

  test('where none was, nothing happens', () => {
    expect(decideFiring(stopping)).toMatchObject({ act: 'pass over' })
  })
})

describe('restart', () => {
  const restarting = { ...instant, kind: 'restart', restartWaitMs: 2000 } as const

  test('the run is stopped, and the instant stays due', () => {
    const alive = { runKey: '7', finishedMs: undefined }
    expect(decideFiring({ ...restarting, alive })).toEqual({ act: 'stop', runKey: '7', again: true })
  })

  test('the new one waits after the end of the old one', () => {
    const alive = { runKey: '7', finishedMs: due + 30 }
    expect(decideFiring({ ...restarting, alive })).toEqual({ act: 'wait', forMs: 1990 })
    expect(decideFiring({ ...restarting, alive, nowMs: due + 2030 })).toEqual(atOnce)
  })

  test('a DAG that does not run is not started', () => {
    expect(decideFiring(restarting)).toMatchObject({ act: 'pass over' })
  })
})
