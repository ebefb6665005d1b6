import { describe, expect, test } from 'vitest'
import type { RepeatPolicy } from '#lib/definition/definition.ts'
import { resetForRetry } from '#lib/engine/reset-for-retry.ts'
import { play, type Played, type Script } from '#tests/support/engine-scenario.ts'
import {
  sampleChain,
  sampleCondition,
  sampleDag,
  sampleRepeat,
  sampleRetry,
  sampleStep as step,
} from '#tests/support/sample-definition.ts'

const counts = (played: Played, name: string) => {
  const { status, doneCount, retryCount } = played.progressOf(name)
  return { run: played.status, step: status, doneCount, retryCount }
}

describe('retry', () => {
  const flaky = (settings = {}) => sampleDag([step('flaky', { retryPolicy: sampleRetry(settings) })])

  test('a listed exit code is retried', () => {
    const played = play(flaky({ limit: 3, exitCodes: [74, 75] }), { attempts: { flaky: [75, 0] } })
    expect(counts(played, 'flaky')).toEqual({ run: 'success', step: 'success', doneCount: 2, retryCount: 1 })
  })

  test('an exit code that is not listed is not retried', () => {
    const played = play(flaky({ limit: 3, exitCodes: [74, 75] }), { attempts: { flaky: [76, 0] } })
    expect(counts(played, 'flaky')).toEqual({ run: 'failed', step: 'failed', doneCount: 1, retryCount: 0 })
  })

  test('the interval passes between two attempts', () => {
    const { starts } = play(flaky({ limit: 2, intervalSec: 2 }), { attempts: { flaky: [1, 0] } })
    expect(starts['flaky']).toEqual([0, 2010])
  })

  test('the interval grows by the backoff up to its maximum', () => {
    const { starts } = play(flaky({ limit: 4, intervalSec: 1, backoff: 2, maxIntervalSec: 3 }), {
      attempts: { flaky: [1] },
    })
    expect(starts['flaky']).toEqual([0, 1010, 3020, 6030, 9040])
  })

  test('an interval never grows beyond a year, and is never shorter than 100 ms', () => {
    const year = 31_536_000_000
    const long = play(flaky({ limit: 1100, intervalSec: 1, backoff: 1000 }), { attempts: { flaky: [1] } })
    const [last = 0, before = 0] = (long.starts['flaky'] ?? []).toReversed()
    expect(last - before).toBe(year + 10)
    const none = play(flaky({ limit: 1100, backoff: 1000 }), { attempts: { flaky: [1] } })
    expect(none.endedAt).toBe(11_010 + 1100 * 100)
  })

  test('a step that reaches the limit fails, and the failure handler runs', () => {
    const retryPolicy = sampleRetry({ limit: 2 })
    const dag = sampleChain([step('flaky', { retryPolicy }), step('next')], {
      handlers: { failure: step('failure') },
    })
    const played = play(dag, { attempts: { flaky: [1] } })
    expect(counts(played, 'flaky')).toEqual({ run: 'failed', step: 'failed', doneCount: 3, retryCount: 2 })
    expect(played.steps).toEqual({ flaky: 'failed', next: 'cancelled' })
    expect(played.handlers).toEqual({ failure: 'success' })
  })

  test('a limit of zero means no retry', () => {
    const played = play(flaky({ limit: 0 }), { attempts: { flaky: [1, 0] } })
    expect(counts(played, 'flaky')).toEqual({ run: 'failed', step: 'failed', doneCount: 1, retryCount: 0 })
  })

  test('the outputs are those of the last attempt', () => {
    const attempts = { flaky: [{ exitCode: 1, outputs: { SAID: 'one' } }, { outputs: { SAID: 'two' } }] }
    const { progressOf } = play(flaky({ limit: 2 }), { attempts })
    expect(progressOf('flaky').outputs).toEqual({ SAID: 'two' })
  })

  test('a step is retried until it succeeds, then the next one runs', () => {
    const dag = sampleChain([step('flaky', { retryPolicy: sampleRetry({ limit: 4 }) }), step('next')])
    const played = play(dag, { attempts: { flaky: [1, 1, 0] } })
    expect(counts(played, 'flaky')).toEqual({ run: 'success', step: 'success', doneCount: 3, retryCount: 2 })
    expect(played.progressOf('flaky').error).toBe('')
  })

  test('an attempt that reached the time limit of the step is not retried', () => {
    const attempts = { flaky: [{ exitCode: 124, error: 'timed out', timedOut: true }] }
    const played = play(flaky({ limit: 3 }), { attempts })
    expect(counts(played, 'flaky')).toEqual({ run: 'failed', step: 'failed', doneCount: 1, retryCount: 0 })
  })

  test('delaySec spaces retries like any start', () => {
    const dag = sampleDag([step('flaky', { retryPolicy: sampleRetry() })], { delaySec: 3 })
    expect(play(dag, { attempts: { flaky: [1, 0] } }).starts['flaky']).toEqual([3000, 6000])
  })

  test('a tolerated failure is retried first', () => {
    const soft = step('soft', { retryPolicy: sampleRetry(), continueOn: { failure: true } })
    const played = play(sampleDag([soft, step('other')]), { attempts: { soft: [1] } })
    expect(counts(played, 'soft')).toMatchObject({ run: 'partial_success', doneCount: 2 })
  })
})

describe('repeat', () => {
  const repeated = (settings: Partial<RepeatPolicy>, script: Script = {}) =>
    play(sampleChain([step('again', { repeatPolicy: sampleRepeat(settings) }), step('next')]), script)
  const asking = { condition: sampleCondition }

  test('a failing step is not repeated by repeat: true', () => {
    const played = repeated({ limit: 6 }, { attempts: { again: [0, 1] } })
    expect(counts(played, 'again')).toEqual({ run: 'failed', step: 'failed', doneCount: 2, retryCount: 0 })
    expect(played.steps).toEqual({ again: 'failed', next: 'cancelled' })
  })

  test('the limit ends a repetition whose condition never comes true', () => {
    const played = repeated({ mode: 'until', ...asking, limit: 3 }, { repeatMet: { again: [false] } })
    expect(counts(played, 'again')).toMatchObject({ run: 'success', doneCount: 3 })
  })

  test('a repeated step stops at its limit', () => {
    expect(counts(repeated({ limit: 3 }), 'again')).toMatchObject({ run: 'success', doneCount: 3 })
  })

  test('until repeats as long as the condition does not hold', () => {
    const repeatMet = { again: [false, false, false, true] }
    const played = repeated({ mode: 'until', ...asking, limit: 20 }, { repeatMet })
    expect(counts(played, 'again')).toMatchObject({ run: 'success', doneCount: 4 })
  })

  test('while repeats as long as the condition holds', () => {
    const repeatMet = { again: [true, true, false] }
    const played = repeated({ mode: 'while', ...asking, limit: 20 }, { repeatMet })
    expect(counts(played, 'again')).toMatchObject({ run: 'success', doneCount: 3 })
  })

  test('while repeats as long as the exit code is listed, even a failing one', () => {
    const played = repeated(
      { mode: 'while', exitCodes: [10], limit: 20 },
      { attempts: { again: [10, 10, 0] } },
    )
    expect(counts(played, 'again')).toMatchObject({ run: 'success', doneCount: 3 })
  })

  test('until repeats as long as the exit code is not listed', () => {
    const played = repeated({ mode: 'until', exitCodes: [7] }, { attempts: { again: [0, 0, 7] } })
    expect(counts(played, 'again')).toMatchObject({ run: 'failed', step: 'failed', doneCount: 3 })
  })

  test('a conditional repetition continues despite failures, and the last execution decides', () => {
    const repeatMet = { again: [true] }
    const failing = repeated({ mode: 'while', ...asking, limit: 3 }, { repeatMet, attempts: { again: [1] } })
    expect(counts(failing, 'again')).toMatchObject({ run: 'failed', step: 'failed', doneCount: 3 })
    const healing = repeated(
      { mode: 'while', ...asking, limit: 3 },
      { repeatMet, attempts: { again: [1, 1, 0] } },
    )
    expect(counts(healing, 'again')).toMatchObject({ run: 'success', step: 'success', doneCount: 3 })
  })

  test('the interval passes before each repetition, multiplied from the first one on', () => {
    const constant = repeated({ limit: 3, intervalSec: 1 })
    expect(constant.starts['again']).toEqual([0, 1010, 2020])
    const growing = repeated({ limit: 4, intervalSec: 1, backoff: 2, maxIntervalSec: 5 })
    expect(growing.starts['again']).toEqual([0, 2010, 6020, 11_030])
  })

  test('without an interval, 100 ms pass before each repetition', () => {
    expect(repeated({ limit: 3 }).starts['again']).toEqual([0, 110, 220])
    expect(repeated({ limit: 3, backoff: 2 }).starts['again']).toEqual([0, 110, 220])
  })

  test('the retry policy applies when the last execution of a repetition failed', () => {
    const both = step('both', {
      repeatPolicy: sampleRepeat({ mode: 'while', exitCodes: [10] }),
      retryPolicy: sampleRetry({ limit: 1 }),
    })
    const played = play(sampleDag([both]), { attempts: { both: [10, 10, 1, 10, 0] } })
    expect(counts(played, 'both')).toEqual({ run: 'success', step: 'success', doneCount: 5, retryCount: 1 })
  })

  test('a repetition in which an execution timed out is not retried', () => {
    const both = step('both', {
      repeatPolicy: sampleRepeat({ mode: 'while', ...asking }),
      retryPolicy: sampleRetry({ limit: 5 }),
    })
    const attempts = { both: [{ exitCode: 124, timedOut: true }] }
    const played = play(sampleDag([both]), { attempts, repeatMet: { both: [true, false] } })
    expect(counts(played, 'both')).toEqual({ run: 'failed', step: 'failed', doneCount: 2, retryCount: 0 })
  })
})

describe('a retry of a run', () => {
  /** A run, and then its retry with the rows that the retry keeps. */
  function rerun(dag: Parameters<typeof play>[0], first: Script, second: Script): [Played, Played] {
    const before = play(dag, first)
    const dropped = new Set(resetForRetry(before.plan, before.rows))
    return [before, play(dag, { ...second, rows: before.rows.filter((row) => !dropped.has(row.name)) })]
  }

  test('runs the failed step and those after it, not the successful ones', () => {
    const dag = sampleChain([step('counted'), step('gate'), step('after')])
    const [before, after] = rerun(dag, { attempts: { gate: [1] } }, {})
    expect(before.steps).toEqual({ counted: 'success', gate: 'failed', after: 'cancelled' })
    expect(after.steps).toEqual({ counted: 'success', gate: 'success', after: 'success' })
    expect(after.starts).toEqual({ gate: [0], after: [10] })
    expect(after.status).toBe('success')
  })

  test('may fail again, and the failure handler runs again', () => {
    const dag = sampleDag([step('bad')], { handlers: { failure: step('failure') } })
    const [, after] = rerun(dag, { attempts: { bad: [1] } }, { attempts: { bad: [1] } })
    expect(after).toMatchObject({ status: 'failed', handlers: { failure: 'success' } })
    expect(Object.keys(after.starts)).toEqual(['bad', 'onFailure'])
  })

  test('runs no step again when all were successful', () => {
    const dag = sampleDag([step('counted')], { handlers: { exit: step('exit') } })
    const [, after] = rerun(dag, {}, {})
    expect(after.status).toBe('success')
    expect(Object.keys(after.starts)).toEqual(['onExit'])
  })

  test('runs a tolerated failure again, with everything after it', () => {
    const soft = step('soft', { continueOn: { failure: true } })
    const dag = sampleChain([soft, step('gate'), step('count')])
    const [before, after] = rerun(dag, { attempts: { soft: [1], gate: [1] } }, { attempts: { soft: [1] } })
    expect(before).toMatchObject({ status: 'failed', steps: { gate: 'failed', count: 'cancelled' } })
    expect(after).toMatchObject({ status: 'partial_success', steps: { soft: 'failed', count: 'success' } })
    expect(Object.keys(after.starts)).toEqual(['soft', 'gate', 'count'])
  })

  test('continues a stopped run where it was stopped', () => {
    const dag = sampleChain([step('first'), step('long'), step('never')])
    const [before, after] = rerun(dag, { stopAt: [15] }, {})
    expect(before.steps).toEqual({ first: 'success', long: 'cancelled', never: 'not_started' })
    expect(after.status).toBe('success')
    expect(Object.keys(after.starts)).toEqual(['long', 'never'])
  })
})

describe('a step status that a user has set', () => {
  const dag = sampleChain([step('good'), step('bad'), step('rest')])
  const failed = play(dag, { attempts: { bad: [1] } })
  const patched = (name: string, status: 'success' | 'failed' | 'skipped') =>
    failed.rows.map((row) => (row.name === name ? { ...row, status } : row))

  test('lets a retry continue after a step that was set to success', () => {
    const rows = patched('bad', 'success')
    expect(resetForRetry(failed.plan, rows)).toEqual(['rest'])
    const after = play(dag, { rows: rows.filter((row) => row.name !== 'rest') })
    expect(after).toMatchObject({ status: 'success', starts: { rest: [0] } })
  })

  test('lets a retry run a step that was set to failed, and all after it', () => {
    expect(resetForRetry(failed.plan, patched('good', 'failed'))).toEqual(['good', 'bad', 'rest'])
  })

  test('lets a step that was set to skipped skip the steps after it', () => {
    const rows = patched('bad', 'skipped').filter((row) => row.name !== 'rest')
    const after = play(dag, { rows })
    expect(after.steps).toEqual({ good: 'success', bad: 'skipped', rest: 'skipped' })
  })
})
