import { describe, expect, test } from 'vitest'
import type { Definition, Step } from '#lib/definition/definition.ts'
import { play } from '#tests/support/engine-scenario.ts'
import {
  sampleChain,
  sampleChild,
  sampleCondition,
  sampleDag,
  sampleRepeat,
  sampleRetry,
  sampleStep as step,
} from '#tests/support/sample-definition.ts'

type Kind = keyof Definition['handlers']

function handlers(
  kinds: readonly Kind[] = ['success', 'failure', 'cancel', 'exit'],
  settings: Partial<Step> = {},
) {
  return { handlers: Object.fromEntries(kinds.map((kind) => [kind, step(kind, settings)])) }
}

describe('handlers', () => {
  test('the success and the exit handler run after a success', () => {
    const played = play(sampleDag([step('main')], handlers()))
    expect(played).toMatchObject({ status: 'success', handlers: { success: 'success', exit: 'success' } })
  })

  test('the exit handler runs after the success handler, which runs after the steps', () => {
    const { starts } = play(sampleDag([step('main')], handlers(['exit', 'success'])), {
      attempts: { onSuccess: [{ lastsMs: 1000 }] },
    })
    expect(starts).toEqual({ main: [0], onSuccess: [10], onExit: [1010] })
  })

  test('the failure and the exit handler run after a failure', () => {
    const played = play(sampleDag([step('main')], handlers()), { attempts: { main: [1] } })
    expect(played.status).toBe('failed')
    expect(played.error).toBe('step main failed: exit status 1')
    expect(played.handlers).toEqual({ failure: 'success', exit: 'success' })
  })

  test('a lone exit handler runs after a failure', () => {
    const played = play(sampleDag([step('bad')], handlers(['exit'])), { attempts: { bad: [9] } })
    expect(played).toMatchObject({ status: 'failed', handlers: { exit: 'success' } })
  })

  test.each(['success', 'exit'] as const)('a failing %s handler fails the run', (kind) => {
    const name = { success: 'onSuccess', exit: 'onExit' }[kind]
    const played = play(sampleDag([step('main')], handlers()), { attempts: { [name]: [5] } })
    expect(played).toMatchObject({
      status: 'failed',
      steps: { main: 'success' },
      error: `${kind} handler failed: exit status 5`,
    })
    expect(played.handlers['exit']).toBeDefined()
  })

  test('a tolerated failure of a handler does not fail the run', () => {
    const soft = { handlers: { exit: step('exit', { continueOn: { failure: true } }) } }
    expect(play(sampleDag([step('main')], soft), { attempts: { onExit: [1] } }).status).toBe('success')
  })

  test('a failing exit handler does not turn a cancelled run into a failed one', () => {
    const dag = sampleDag([step('long')], handlers(['exit']))
    expect(play(dag, { stopAt: [5], attempts: { onExit: [1] } }).status).toBe('cancelled')
  })

  test('the success handler runs after a partial success', () => {
    const dag = sampleDag([step('soft', { continueOn: { failure: true } }), step('main')], handlers())
    const played = play(dag, { attempts: { soft: [1] } })
    expect(played).toMatchObject({ status: 'partial_success', handlers: { success: 'success' } })
  })

  test('the init handler runs before the steps', () => {
    const { starts, handlers: ran } = play(sampleDag([step('main')], handlers(['init'])))
    expect(starts).toEqual({ onInit: [0], main: [10] })
    expect(ran).toEqual({ init: 'success' })
  })

  test('a failing init handler cancels the run: no step starts, the cancel and the exit handler run', () => {
    const dag = sampleDag([step('main')], handlers(['init', 'success', 'failure', 'cancel', 'exit']))
    const played = play(dag, { attempts: { onInit: [3] } })
    expect(played).toMatchObject({ status: 'cancelled', steps: { main: 'not_started' } })
    expect(played.error).toBe('init handler failed: exit status 3')
    expect(played.handlers).toEqual({ init: 'failed', cancel: 'success', exit: 'success' })
  })

  test('an init handler that is skipped, or whose failure is tolerated, lets the steps run', () => {
    const gated = { handlers: { init: step('init', { preconditions: [sampleCondition] }) } }
    expect(play(sampleDag([step('main')], gated), { unmet: ['onInit'] })).toMatchObject({
      status: 'success',
      handlers: { init: 'skipped' },
    })
    const soft = { handlers: { init: step('init', { continueOn: { failure: true } }) } }
    expect(play(sampleDag([step('main')], soft), { attempts: { onInit: [1] } }).status).toBe('success')
  })

  test('handlers have policies of their own', () => {
    const dag = sampleDag(
      [step('main')],
      handlers(['exit'], { retryPolicy: sampleRetry({ intervalSec: 1 }) }),
    )
    const played = play(dag, { attempts: { onExit: [1, 0] } })
    expect(played).toMatchObject({ status: 'success', starts: { onExit: [10, 1020] } })
  })
})

describe('stop', () => {
  test('the running step is cancelled, later steps do not run', () => {
    const played = play(sampleChain([step('first'), step('long'), step('never')]), { stopAt: [15] })
    expect(played).toMatchObject({
      status: 'cancelled',
      steps: { first: 'success', long: 'cancelled', never: 'not_started' },
      endedAt: 16,
      error: 'stopped',
    })
  })

  test('only the cancel and the exit handler run, and the same stop does not end them', () => {
    const played = play(sampleDag([step('long')], handlers()), { stopAt: [5, 5] })
    expect(played).toMatchObject({ status: 'cancelled', handlers: { cancel: 'success', exit: 'success' } })
    expect(Object.keys(played.handlers)).toEqual(['cancel', 'exit'])
  })

  test('continueOn failure does not keep a stopped run going', () => {
    const long = step('long', { continueOn: { failure: true } })
    const played = play(sampleChain([long, step('after')]), { stopAt: [5] })
    expect(played).toMatchObject({ status: 'cancelled', steps: { long: 'cancelled', after: 'not_started' } })
  })

  test('a repeating step ends while it executes or waits', () => {
    const again = step('again', { repeatPolicy: sampleRepeat({ intervalSec: 1 }) })
    for (const stopAt of [5, 500]) {
      const played = play(sampleChain([again, step('after')]), { stopAt: [stopAt] })
      expect(played).toMatchObject({
        status: 'cancelled',
        steps: { again: 'cancelled', after: 'not_started' },
      })
    }
  })

  test('a step that waits for its retry ends', () => {
    const flaky = step('flaky', { retryPolicy: sampleRetry({ limit: 5, intervalSec: 60 }) })
    const played = play(sampleDag([flaky]), { stopAt: [100], attempts: { flaky: [1] } })
    expect(played).toMatchObject({ status: 'cancelled', steps: { flaky: 'cancelled' }, endedAt: 100 })
    expect(played.starts['flaky']).toEqual([0])
  })

  test('a stopped attempt is neither retried nor repeated', () => {
    const both = { retryPolicy: sampleRetry({ limit: 5 }), repeatPolicy: sampleRepeat() }
    const played = play(sampleDag([step('both', both)]), { stopAt: [5] })
    expect(played.starts['both']).toEqual([0])
    expect(played.progressOf('both')).toMatchObject({ status: 'cancelled', doneCount: 0, exitCode: 0 })
  })

  test('a stop before anything started cancels the run and runs its handlers', () => {
    const dag = sampleDag([step('one')], { delaySec: 60, ...handlers() })
    const played = play(dag, { stopAt: [10] })
    expect(played).toMatchObject({ status: 'cancelled', steps: { one: 'not_started' } })
    expect(Object.keys(played.handlers)).toEqual(['cancel', 'exit'])
  })

  test('a stop during the init handler ends it', () => {
    const played = play(sampleDag([step('one')], handlers(['init', 'cancel'])), { stopAt: [5] })
    expect(played).toMatchObject({
      status: 'cancelled',
      steps: { one: 'not_started' },
      handlers: { init: 'cancelled', cancel: 'success' },
    })
  })

  test('a stop during the success handler ends it and cancels the run, and the exit handler still runs', () => {
    const played = play(sampleDag([step('main')], handlers()), { stopAt: [15] })
    expect(played).toMatchObject({
      status: 'cancelled',
      steps: { main: 'success' },
      handlers: { success: 'cancelled', exit: 'success' },
      error: 'success handler stopped',
    })
  })

  test('a stop during the failure handler leaves a failed run', () => {
    const dag = sampleDag([step('main')], handlers())
    const played = play(dag, { stopAt: [15], attempts: { main: [1] } })
    expect(played).toMatchObject({ status: 'failed', handlers: { failure: 'cancelled', exit: 'success' } })
  })

  test('a second stop ends the handler in progress after the first, and the next one still runs', () => {
    const attempts = { onCancel: [{ lastsMs: 60_000 }], onExit: [{ lastsMs: 60_000 }] }
    const dag = sampleDag([step('long')], handlers())
    const played = play(dag, { stopAt: [5, 100, 200], attempts })
    expect(played).toMatchObject({
      status: 'cancelled',
      handlers: { cancel: 'cancelled', exit: 'cancelled' },
      endedAt: 201,
    })
  })

  test('a handler that waits for its retry is ended by a stop', () => {
    const patient = { retryPolicy: sampleRetry({ limit: 3, intervalSec: 60 }) }
    const dag = sampleDag([step('main')], handlers(['exit'], patient))
    const played = play(dag, { stopAt: [100], attempts: { onExit: [1] } })
    expect(played).toMatchObject({ status: 'cancelled', handlers: { exit: 'cancelled' }, endedAt: 100 })
  })

  test('a stop that interrupts nothing changes nothing', () => {
    const dag = sampleDag(
      [step('soft', { continueOn: { failure: true } }), step('main')],
      handlers(['success']),
    )
    // The end of the step is known before the signal is sent.
    const attempts = { soft: [1], main: [{ lastsMs: 5 }] }
    expect(play(dag, { stopAt: [1000], attempts }).status).toBe('partial_success')
  })
})

describe('timeouts', () => {
  test('a time limit that is not reached changes nothing', () => {
    expect(play(sampleDag([step('quick')], { timeoutSec: 20 }))).toMatchObject({
      status: 'success',
      endedAt: 10,
    })
  })

  test('a run that reaches its time limit cancels running and later steps', () => {
    const dag = sampleChain([step('long'), step('next')], { timeoutSec: 2, ...handlers() })
    const played = play(dag, { attempts: { long: [{ lastsMs: 20_000 }] } })
    expect(played).toMatchObject({
      status: 'failed',
      steps: { long: 'cancelled', next: 'cancelled' },
      handlers: { failure: 'success', exit: 'success' },
      error: 'time limit of 2 s reached',
    })
    expect(played.starts['onFailure']).toEqual([2001])
  })

  test('the time limit of the run does not apply to its last handlers', () => {
    const dag = sampleDag([step('main')], { timeoutSec: 1, ...handlers() })
    const played = play(dag, { attempts: { onSuccess: [{ lastsMs: 5000 }] } })
    expect(played).toMatchObject({ status: 'success', handlers: { success: 'success', exit: 'success' } })
  })

  test('the init handler counts towards the time limit', () => {
    const dag = sampleDag([step('main')], { timeoutSec: 1, ...handlers(['init', 'failure']) })
    const played = play(dag, { attempts: { onInit: [{ lastsMs: 5000 }] } })
    expect(played).toMatchObject({
      status: 'failed',
      steps: { main: 'cancelled' },
      handlers: { init: 'cancelled', failure: 'success' },
    })
  })

  test('a step that reaches its own time limit fails', () => {
    const attempts = { long: [{ exitCode: 124, timedOut: true, error: '' }] }
    const played = play(sampleChain([step('long'), step('next')]), { attempts })
    expect(played).toMatchObject({ status: 'failed', steps: { long: 'failed', next: 'cancelled' } })
    expect(played.progressOf('long').error).toBe('the step reached its time limit')
  })

  test('the time limit counts on when another runner takes over', () => {
    const dag = sampleDag([step('long', { retryPolicy: sampleRetry() })], { timeoutSec: 2 })
    const played = play(dag, { lostAt: [1500], attempts: { long: [{ lastsMs: 10_000 }] } })
    expect(played).toMatchObject({ status: 'failed', starts: { long: [0, 1600] }, endedAt: 2001 })
  })
})

describe('a lost runner', () => {
  test('fails the step in progress and keeps finished steps', () => {
    const dag = sampleChain([step('done'), step('cut'), step('next')], handlers())
    const played = play(dag, { lostAt: [15] })
    expect(played).toMatchObject({
      status: 'failed',
      steps: { done: 'success', cut: 'failed', next: 'cancelled' },
      handlers: { failure: 'success', exit: 'success' },
      error: 'step cut failed: runner lost',
    })
    expect(played.starts['done']).toEqual([0])
  })

  test('leads to a retry, even when the policy names exit codes', () => {
    const cut = step('cut', { retryPolicy: sampleRetry({ exitCodes: [75] }) })
    const played = play(sampleDag([cut]), { lostAt: [5] })
    expect(played).toMatchObject({ status: 'success', starts: { cut: [0, 105] } })
    expect(played.progressOf('cut')).toMatchObject({ retryCount: 1, doneCount: 2 })
  })

  test('is tolerated by continueOn failure, not by exit codes', () => {
    const cut = step('cut', { continueOn: { failure: true, exitCodes: [1] } })
    expect(play(sampleChain([cut, step('next')]), { lostAt: [5] }).status).toBe('partial_success')
    const picky = step('cut', { continueOn: { exitCodes: [1] } })
    expect(play(sampleChain([picky, step('next')]), { lostAt: [5] }).status).toBe('failed')
  })

  test('lets a child run continue, which is attached again', () => {
    const dag = sampleChain([step('call', sampleChild), step('after')])
    const played = play(dag, { lostAt: [5], attempts: { call: [{ lastsMs: 100 }] } })
    expect(played).toMatchObject({ status: 'success', starts: { call: [0], after: [100] } })
  })

  test('does not keep a child run from being stopped before or after it', () => {
    const dag = sampleDag([step('call', sampleChild)])
    const attempts = { call: [{ lastsMs: 1000 }] }
    for (const stopAt of [5, 50]) {
      const played = play(dag, { stopAt: [stopAt], lostAt: [5, 6], attempts })
      expect(played).toMatchObject({ status: 'cancelled', steps: { call: 'cancelled' } })
    }
  })

  test('lets a waiting step continue to wait', () => {
    const flaky = step('flaky', { retryPolicy: sampleRetry({ intervalSec: 1 }) })
    const played = play(sampleDag([flaky]), { lostAt: [500], attempts: { flaky: [1, 0] } })
    expect(played).toMatchObject({ status: 'success', starts: { flaky: [0, 1010] } })
  })

  test('does not make an earlier stop end the handlers', () => {
    const played = play(sampleDag([step('long')], handlers(['cancel', 'exit'])), {
      stopAt: [5],
      lostAt: [10],
    })
    expect(played).toMatchObject({
      status: 'cancelled',
      steps: { long: 'cancelled' },
      handlers: { cancel: 'failed', exit: 'success' },
    })
  })

  test('cancels an attempt that was being stopped, without a retry', () => {
    const long = step('long', { retryPolicy: sampleRetry() })
    const played = play(sampleDag([long]), { stopAt: [5], lostAt: [5] })
    expect(played).toMatchObject({ status: 'cancelled', steps: { long: 'cancelled' } })
    expect(played.progressOf('long').error).toBe('runner lost')
  })

  test('lets unfinished preconditions be evaluated again', () => {
    const gate = step('gate', { preconditions: [sampleCondition] })
    const dag = sampleDag([gate], { preconditions: [sampleCondition] })
    expect(play(dag, { lostAt: [0, 0, 0] })).toMatchObject({ status: 'success', steps: { gate: 'success' } })
  })
})
