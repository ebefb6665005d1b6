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
  restartWaitMs: 0,
  latest: undefined,
  alive: undefined,
}

const ended = { status: 'success', startedMs: due - 1000, scheduledMs: undefined } as const

describe('start', () => {
  test('a DAG that never ran is started', () => {
    expect(decideFiring(instant)).toEqual({ act: 'start' })
  })

  test('a DAG whose latest run has ended is started, however it ended', () => {
    for (const status of ['success', 'failed', 'cancelled', 'partial_success', 'queued'] as const) {
      expect(decideFiring({ ...instant, latest: { ...ended, status } })).toEqual({ act: 'start' })
    }
  })

  test('nothing is started while the latest run is under way', () => {
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
    expect(decideFiring({ ...instant, nowMs: due + lateMsMax })).toEqual({ act: 'start' })
    expect(decideFiring({ ...instant, nowMs: due + lateMsMax + 1 })).toMatchObject({ act: 'pass over' })
  })
})

describe('skipIfSuccessful', () => {
  const skipping = { ...instant, skipIfSuccessful: true }

  test('a success by hand since the instant before holds the next one back', () => {
    expect(decideFiring({ ...skipping, latest: ended })).toMatchObject({ act: 'pass over' })
    expect(decideFiring({ ...instant, latest: ended })).toEqual({ act: 'start' })
  })

  test('the run that the instant before made does not', () => {
    const latest = { status: 'success', startedMs: due - hour + 20, scheduledMs: due - hour } as const
    expect(decideFiring({ ...skipping, latest })).toEqual({ act: 'start' })
  })

  test('neither does a failure, nor a success before that', () => {
    expect(decideFiring({ ...skipping, latest: { ...ended, status: 'failed' } })).toEqual({ act: 'start' })
    expect(decideFiring({ ...skipping, latest: { ...ended, startedMs: due - hour - 1 } })).toEqual({
      act: 'start',
    })
  })
})

describe('stop', () => {
  const stopping = { ...instant, kind: 'stop' } as const

  test('the run that was under way at the instant is stopped, once', () => {
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
    expect(decideFiring({ ...restarting, alive, nowMs: due + 2030 })).toEqual({ act: 'start' })
  })

  test('a DAG that does not run is not started', () => {
    expect(decideFiring(restarting)).toMatchObject({ act: 'pass over' })
  })
})
