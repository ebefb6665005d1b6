import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/engine/actions.ts'
import { applyEvent } from '#lib/engine/apply-event.ts'
import { changedSteps } from '#lib/engine/changed-steps.ts'
import { initialProgress } from '#lib/engine/initial-progress.ts'
import { nextActions } from '#lib/engine/next-actions.ts'
import { outcome } from '#lib/engine/outcome.ts'
import { planRun, plannedAt, type Plan } from '#lib/engine/plan.ts'
import { iterationOf, stepAt, type RunProgress } from '#lib/engine/progress.ts'
import { restoreProgress } from '#lib/engine/restore-progress.ts'
import { storedStep, type StoredStep } from '#lib/engine/stored-step.ts'
import { countGraph } from '#lib/engine/graph-counts.ts'
import { attemptResult, play } from '#tests/support/engine-scenario.ts'
import {
  sampleChain,
  sampleChild,
  sampleCondition,
  sampleDag,
  sampleRepeat,
  sampleRetry,
  sampleStep as step,
} from '#tests/support/sample-definition.ts'

function after(plan: Plan, ...events: RunEvent[]): RunProgress {
  return events.reduce((progress, event) => applyEvent(plan, progress, event), initialProgress(plan, 0))
}

const started = (step: number): RunEvent => ({ type: 'attempt-started', step, at: 1 })
const ended = (step: number, result: Parameters<typeof attemptResult>[0]): RunEvent => ({
  type: 'attempt-ended',
  step,
  at: 2,
  result: attemptResult(result),
})
const stop: RunEvent = { type: 'stop-requested', at: 5 }
const lost: RunEvent = { type: 'runner-lost', at: 9 }
const stored = { startedAt: 0, checked: true, ending: null, lastStartAt: null, stoppedAt: null }

describe('a state change', () => {
  const plan = planRun(sampleChain([step('a'), step('b'), step('c')]))

  test('replaces only the steps that the event concerns', () => {
    const before = after(plan, started(0))
    const now = applyEvent(plan, before, ended(0, 0))
    expect(changedSteps(before, now)).toEqual([0])
    expect(now.steps[2]).toBe(before.steps[2])
  })

  test('includes every step after a failure', () => {
    const before = after(plan, started(0))
    expect(changedSteps(before, applyEvent(plan, before, ended(0, 1)))).toEqual([0, 1, 2])
  })

  test('writes no row for a step that is being checked', () => {
    const checked = planRun(sampleDag([step('a', { preconditions: [sampleCondition] })]))
    const before = initialProgress(checked, 0)
    const now = applyEvent(checked, before, { type: 'step-checking', step: 0 })
    expect(now).not.toBe(before)
    expect(changedSteps(before, now)).toEqual([])
    expect(changedSteps(before, before)).toEqual([])
  })

  test.each<RunEvent>([
    started(1),
    started(7),
    started(-1),
    ended(0, 0),
    { type: 'run-checking' },
    { type: 'run-checked', met: false },
    { type: 'step-checking', step: 1 },
    { type: 'step-checked', step: 0, at: 1, conditions: [] },
    { type: 'repeat-deciding', step: 0 },
    { type: 'repeat-decided', step: 0, at: 1, met: true },
    { type: 'stop-sent', step: 0 },
    lost,
  ])('is not made by an event that does not fit: %o', (event) => {
    const before = initialProgress(plan, 0)
    expect(applyEvent(plan, before, event)).toBe(before)
  })

  test('is not made by a second start or by an unrequested signal', () => {
    const before = after(plan, started(0))
    expect(applyEvent(plan, before, started(0))).toBe(before)
    expect(applyEvent(plan, before, { type: 'stop-sent', step: 0 })).toBe(before)
  })

  test('is not made by a time limit that passes a second time or after a stop', () => {
    for (const first of [stop, { type: 'timed-out', at: 5 } as const]) {
      const before = after(plan, started(0), first)
      expect(applyEvent(plan, before, { type: 'timed-out', at: 6 })).toBe(before)
    }
  })
})

test('a stop after the time limit does not turn a failed run into a cancelled one', () => {
  const plan = planRun(sampleDag([step('a')]))
  const progress = after(plan, started(0), { type: 'timed-out', at: 4 }, stop)
  expect(progress).toMatchObject({ ending: 'timed_out', stoppedAt: 5 })
  expect(outcome(plan, progress).status).toBe('failed')
})

describe('an attempt that should stop', () => {
  const plan = planRun(sampleDag([step('a', { retryPolicy: sampleRetry() })]))

  test('is reported once, with the reason', () => {
    const stopping = after(plan, started(0), stop)
    expect(nextActions(plan, stopping, 6)).toEqual([{ type: 'stop-attempt', step: 0, reason: 'stopped' }])
    const signalled = applyEvent(plan, stopping, { type: 'stop-sent', step: 0 })
    expect(nextActions(plan, signalled, 6)).toEqual([])
    const late = after(plan, started(0), { type: 'timed-out', at: 5 })
    expect(nextActions(plan, late, 6)).toEqual([{ type: 'stop-attempt', step: 0, reason: 'timed_out' }])
  })

  test('is cancelled even when it exits 0', () => {
    const end = after(plan, started(0), stop, { type: 'stop-sent', step: 0 }, ended(0, 0))
    expect(stepAt(end, 0)).toMatchObject({ status: 'cancelled', exitCode: 0, error: 'stopped' })
  })

  test('keeps its own result when it ended before the signal', () => {
    const well = after(plan, started(0), stop, ended(0, 0))
    expect(stepAt(well, 0).status).toBe('success')
    expect(outcome(plan, well).status).toBe('success')
    const badly = after(plan, started(0), stop, ended(0, 1))
    expect(stepAt(badly, 0)).toMatchObject({ status: 'failed', retryCount: 0 })
    expect(outcome(plan, badly).status).toBe('cancelled')
  })

  test('is not repeated when it ended before the signal', () => {
    const again = planRun(sampleDag([step('again', { repeatPolicy: sampleRepeat() })]))
    const end = after(again, started(0), stop, ended(0, 0))
    expect(stepAt(end, 0)).toMatchObject({ status: 'success', doneCount: 1 })
  })

  test('of a handler is not ended by the stop that led to it, but by the next one', () => {
    const dag = planRun(sampleDag([step('a')], { handlers: { cancel: step('cancel') } }))
    const cancelling = after(dag, stop, started(1))
    expect(applyEvent(dag, cancelling, stop)).toBe(cancelling)
    const again = applyEvent(dag, cancelling, { type: 'stop-requested', at: 6 })
    expect(nextActions(dag, again, 6)).toEqual([{ type: 'stop-attempt', step: 1, reason: 'stopped' }])
  })

  test('that reports an unrequested stop leaves a cancelled step and a cancelled run', () => {
    const end = after(plan, started(0), ended(0, { exitCode: 143, stopped: true }))
    expect(stepAt(end, 0)).toMatchObject({ status: 'cancelled', error: 'exit status 143' })
    expect(outcome(plan, end)).toEqual({ status: 'cancelled', error: 'a step was cancelled' })
  })

  test('is first attached again when it is a child run of a lost runner', () => {
    const parent = planRun(sampleDag([step('call', sampleChild)]))
    const taken = after(parent, started(0), stop, lost)
    expect(nextActions(parent, taken, 9)).toEqual([{ type: 'start-attempt', step: 0, reattach: true }])
    const attached = applyEvent(parent, taken, started(0))
    expect(attached.lastStartAt).toBe(1)
    expect(nextActions(parent, attached, 9)).toEqual([{ type: 'stop-attempt', step: 0, reason: 'stopped' }])
  })

  test('of a handler is ended by the stop, not by the time limit of the run', () => {
    const dag = planRun(sampleDag([], { preconditions: [sampleCondition], handlers: { exit: step('exit') } }))
    const running = after(dag, { type: 'timed-out', at: 1 }, started(0), stop)
    expect(nextActions(dag, running, 6)).toEqual([{ type: 'stop-attempt', step: 0, reason: 'stopped' }])
  })

  test('is cancelled when the conditions of a handler are being evaluated', () => {
    const exit = step('exit', { preconditions: [sampleCondition] })
    const dag = planRun(sampleDag([], { handlers: { exit } }))
    const end = after(dag, { type: 'step-checking', step: 0 }, stop)
    expect(stepAt(end, 0)).toMatchObject({ status: 'cancelled', error: 'stopped' })
  })
})

describe('evaluations', () => {
  test('are abandoned by a stop, and a late result is ignored', () => {
    const gate = step('gate', { preconditions: [sampleCondition] })
    const plan = planRun(sampleDag([gate]))
    const stopped = after(plan, { type: 'step-checking', step: 0 }, stop)
    expect(stepAt(stopped, 0)).toMatchObject({ status: 'not_started', phase: 'idle' })
    const conditions = [{ met: true, error: '' }]
    expect(applyEvent(plan, stopped, { type: 'step-checked', step: 0, at: 6, conditions })).toBe(stopped)
    expect(outcome(plan, stopped).status).toBe('cancelled')
  })

  test('of the DAG are abandoned by a stop as well', () => {
    const plan = planRun(sampleDag([], { preconditions: [sampleCondition] }))
    const stopped = after(plan, { type: 'run-checking' }, stop, { type: 'run-checked', met: true })
    expect(nextActions(plan, stopped, 6)).toEqual([{ type: 'finish', status: 'cancelled', error: 'stopped' }])
  })

  test('of the DAG do not begin in a run that was stopped', () => {
    const plan = planRun(sampleDag([], { preconditions: [sampleCondition] }))
    const stopped = after(plan, stop)
    expect(applyEvent(plan, stopped, { type: 'run-checking' })).toBe(stopped)
  })

  const repeatPolicy = sampleRepeat({ mode: 'until', condition: sampleCondition })
  const again = planRun(sampleDag([step('again', { repeatPolicy })]))
  const deciding = after(again, started(0), ended(0, 0), { type: 'repeat-deciding', step: 0 })

  test('of a repeat policy are abandoned by a stop: the step is cancelled', () => {
    expect(stepAt(applyEvent(again, deciding, stop), 0).status).toBe('cancelled')
  })

  test('of a repeat policy are made again by a new owner, without a new attempt', () => {
    const row = storedStep(plannedAt(again, 0).step.name, stepAt(deciding, 0), 1)
    expect(row).toMatchObject({ phase: 'executing', exitCode: 0 })
    for (const progress of [deciding, restoreProgress(again, [row], stored)]) {
      const taken = applyEvent(again, progress, lost)
      expect(nextActions(again, taken, 9)).toEqual([{ type: 'decide-repeat', step: 0 }])
    }
  })
})

describe('stored progress', () => {
  const plan = planRun(sampleChain([step('a'), step('b')], { handlers: { exit: step('exit') } }))
  const row = (name: string, values: Partial<StoredStep>): StoredStep => ({
    ...storedStep(plannedAt(plan, 0).step.name, stepAt(initialProgress(plan, 0), 0), 1),
    name,
    ...values,
  })

  test('has these columns for a step', () => {
    const end = after(plan, started(0), ended(0, { outputs: { A: '1' } }))
    expect(storedStep(plannedAt(plan, 0).step.name, stepAt(end, 0), 3)).toEqual({
      name: 'a',
      status: 'success',
      phase: null,
      attempt: 3,
      retryCount: 0,
      doneCount: 1,
      waitUntil: null,
      exitCode: 0,
      error: '',
      tolerated: false,
      outputs: { A: '1' },
      conditions: [],
      startedAt: 1,
      finishedAt: 2,
    })
  })

  test('includes a try before a retry, and the last of several tries', () => {
    const twice = planRun(sampleDag([step('a', { retryPolicy: sampleRetry({ limit: 1 }) })]))
    const failing = after(twice, started(0), ended(0, { exitCode: 3, error: 'e'.repeat(300) }))
    const row = storedStep('a', stepAt(failing, 0), 1)
    expect(row).toMatchObject({
      status: 'running',
      tried: { attempt: 1, number: 1, startedAt: 1, finishedAt: 2, exitCode: 3, error: 'e'.repeat(200) },
    })
    const again = applyEvent(twice, failing, { type: 'attempt-started', step: 0, at: 9 })
    expect(storedStep('a', stepAt(again, 0), 1).tried?.number).toBe(1)
    const result = { ...attemptResult(0), logLine: 7 }
    const end = applyEvent(twice, again, { type: 'attempt-ended', step: 0, at: 12, result })
    expect(storedStep('a', stepAt(end, 0), 1)).toMatchObject({
      status: 'success',
      startedAt: 1,
      tried: { number: 2, startedAt: 9, finishedAt: 12, exitCode: 0, error: '', logLine: 7 },
    })
  })

  test('shows a checked step that waits for its start as not started', () => {
    const gate = planRun(sampleDag([step('gate', { preconditions: [sampleCondition] })]))
    const checked = after(
      gate,
      { type: 'step-checking', step: 0 },
      { type: 'step-checked', step: 0, at: 4, conditions: [{ met: true, error: '' }] },
    )
    expect(stepAt(checked, 0)).toMatchObject({ status: 'not_started', phase: 'waiting', waitUntil: 4 })
    const row = storedStep(plannedAt(gate, 0).step.name, stepAt(checked, 0), 1)
    expect(row).toMatchObject({ status: 'not_started', phase: null, waitUntil: null })
  })

  test('is ignored for steps that are not started or unknown', () => {
    const rows = [row('a', { status: 'not_started', error: 'x' }), row('gone', { status: 'failed' })]
    expect(restoreProgress(plan, rows, stored)).toEqual(initialProgress(plan, 0))
  })

  test('makes a waiting step without a time due at once', () => {
    const rows = [row('a', { status: 'running', phase: 'waiting', retryCount: 1, doneCount: 1 })]
    const taken = applyEvent(plan, restoreProgress(plan, rows, stored), lost)
    expect(nextActions(plan, taken, 9)).toEqual([{ type: 'start-attempt', step: 0, reattach: false }])
  })

  test('cancels a waiting step of an ending run', () => {
    const rows = [
      row('a', { status: 'running', phase: 'waiting', waitUntil: 1, retryCount: 1, doneCount: 1 }),
    ]
    const taken = applyEvent(plan, restoreProgress(plan, rows, { ...stored, ending: 'stopped' }), lost)
    expect(stepAt(taken, 0).status).toBe('cancelled')
    expect(nextActions(plan, taken, 9)).toEqual([{ type: 'start-attempt', step: 2, reattach: false }])
  })

  test('restores the fields of the run', () => {
    const run = { startedAt: 7, checked: true, ending: 'stopped', lastStartAt: 8, stoppedAt: 9 } as const
    expect(restoreProgress(plan, [], run)).toMatchObject(run)
  })
})

describe('the plan', () => {
  test('resolves dependencies and drops unknown names', () => {
    const plan = planRun(sampleDag([step('b', { dependsOn: ['a', 'nobody'] }), step('a')]))
    expect(plan.steps.map(({ dependsOn, dependents }) => [dependsOn, dependents])).toEqual([
      [[1], []],
      [[], [0]],
    ])
    expect(() => plannedAt(plan, 9)).toThrow('invariant broken')
    expect(() => stepAt(initialProgress(plan, 0), 9)).toThrow('invariant broken')
  })

  test('has handlers after the steps, under their fixed names', () => {
    const plan = planRun(sampleDag([step('a')], { handlers: { exit: step('x'), init: step('y') } }))
    expect(plan.steps.map(({ step, handler }) => [step.name, handler])).toEqual([
      ['a', undefined],
      ['onInit', 'init'],
      ['onExit', 'exit'],
    ])
    expect(plan.handlers).toEqual({ init: 1, exit: 2 })
  })
})

test('a repetition has a number of its own, a retry does not', () => {
  const policies = { repeatPolicy: sampleRepeat({ limit: 4 }), retryPolicy: sampleRetry() }
  const plan = planRun(sampleDag([step('both', policies)]))
  const events = [started(0), ended(0, 0), started(0), ended(0, 1), started(0), ended(0, 0), started(0)]
  const rounds = events.flatMap((event, index) =>
    event.type === 'attempt-started'
      ? [iterationOf(stepAt(after(plan, ...events.slice(0, index + 1)), 0))]
      : [],
  )
  expect(rounds).toEqual([0, 1, 1, 2])
})

test('an action is requested until it begins', () => {
  const plan = planRun(sampleDag([step('a')], { preconditions: [sampleCondition], timeoutSec: 1 }))
  const wake = { type: 'wake', at: 1000 }
  expect(nextActions(plan, after(plan), 0)).toEqual([{ type: 'check-run' }, wake])
  expect(nextActions(plan, after(plan, { type: 'run-checking' }), 0)).toEqual([wake])
  expect(nextActions(plan, after(plan, { type: 'run-checking' }), 1000)).toEqual([{ type: 'time-out' }])
})

test.each([
  ['chain', (index: number) => (index === 0 ? [] : [`s${index - 1}`])],
  ['fan', (index: number) => (index === 0 ? [] : ['s0'])],
])('a %s of two thousand steps runs to its end', (_, upstream) => {
  const steps = Array.from({ length: 2000 }, (_, index) => step(`s${index}`, { dependsOn: upstream(index) }))
  const played = play(sampleDag(steps, { maxActiveSteps: 20 }))
  expect(played.status).toBe('success')
  expect(Object.keys(played.starts)).toHaveLength(2000)
})

test('a failure at the head of a long chain ends all of it at once', () => {
  const dag = sampleChain(Array.from({ length: 5000 }, (_, index) => step(`s${index}`)))
  const plan = planRun(dag)
  const end = after(plan, started(0), ended(0, 1))
  expect(end.counts).toEqual(countGraph(plan, end.steps))
  expect(nextActions(plan, end, 3)).toEqual([
    { type: 'finish', status: 'failed', error: 'step s0 failed: exit status 1' },
  ])
})

describe('the last allowed loss of a runner', () => {
  const last: RunEvent = { type: 'runner-lost', at: 9, isLast: true }
  const handlers = { failure: step('mend'), exit: step('leave'), success: step('cheer') }

  test('fails the run without retries, and the failure handler runs next', () => {
    const stubborn = step('a', { retryPolicy: sampleRetry(), repeatPolicy: sampleRepeat() })
    const plan = planRun({ ...sampleDag([stubborn, step('b', sampleChild), step('c')]), handlers })
    const taken = after(plan, started(0), started(1), last)
    expect(taken.steps.slice(0, 3).map(({ status, error }) => [status, error])).toEqual([
      ['failed', 'runner lost'],
      ['failed', 'runner lost'],
      ['not_started', ''],
    ])
    const failure = plan.handlers.failure ?? -1
    expect(nextActions(plan, taken, 10)).toEqual([{ type: 'start-attempt', step: failure, reattach: false }])
    expect(outcome(plan, taken)).toEqual({
      status: 'failed',
      error: 'the run lost its runner three times in a row',
    })
  })

  test('fails the handler in progress, and the next handlers run', () => {
    const plan = planRun({
      ...sampleDag([step('a')]),
      handlers: { ...handlers, success: step('cheer', { retryPolicy: sampleRetry() }) },
    })
    const cheer = plan.handlers.success ?? -1
    const taken = after(plan, started(0), ended(0, 0), started(cheer), last)
    expect(stepAt(taken, cheer)).toMatchObject({ status: 'failed', error: 'runner lost' })
    expect(nextActions(plan, taken, 10)).toEqual([
      { type: 'start-attempt', step: plan.handlers.exit ?? -1, reattach: false },
    ])
  })

  test('cancels a run that was stopped before', () => {
    const plan = planRun({ ...sampleDag([step('a')]), handlers })
    const taken = after(plan, started(0), stop, last)
    expect(outcome(plan, taken)).toMatchObject({ status: 'cancelled' })
  })

  test('is restored from the stored run by the next owner', () => {
    const plan = planRun({ ...sampleDag([step('a')]), handlers })
    const restored = restoreProgress(plan, [], { ...stored, ending: 'runner_lost' })
    expect(outcome(plan, restored)).toMatchObject({ status: 'failed' })
    expect(nextActions(plan, restored, 10)).toMatchObject([
      { type: 'start-attempt', step: plan.handlers.failure },
    ])
  })
})
