import type { ContinueOn } from '#lib/definition/definition.ts'
import type { AttemptResult } from './actions.ts'
import { changeRun, changeStep, finishStep, type Draft, type StepEnd } from './draft.ts'
import { propagateOutcome } from './propagate-outcome.ts'
import { isBounded, plannedAt } from './plan.ts'
import { isRetried, repeatWaitMs, retryWaitMs, runsAgain } from './policies.ts'
import { stepAt, type EndedTry } from './progress.ts'

/**
 * Decides what follows an attempt: first by the repeat policy; when it ends the repetition and the last execution
 * failed, by the retry policy; then by `continueOn`. After a stop or the time limit of the run, none of them prolongs
 * the step.
 */
export function endAttempt(draft: Draft, index: number, at: number, end: AttemptResult): void {
  const { step } = plannedAt(draft.plan, index)
  const before = stepAt(draft, index)
  const result = { exitCode: end.exitCode, outputs: end.outputs, timedOut: end.timedOut }
  const ended = (error: string): EndedTry => ({
    number: before.doneCount + 1,
    startedAt: before.triedAt,
    finishedAt: at,
    exitCode: end.exitCode,
    error,
    logLine: end.logLine,
  })
  if (end.stopped || before.phase === 'stopping') {
    const error = end.error || stopText(draft, index)
    changeStep(draft, index, { ...result, error, lastTry: ended(error) })
    endStep(draft, index, at, { status: 'cancelled' })
    return
  }
  const failed = end.error !== '' || end.timedOut || end.exitCode !== 0
  const error = failed ? end.error || failureText(end) : ''
  changeStep(draft, index, {
    ...result,
    stopDue: false,
    doneCount: before.doneCount + 1,
    error,
    lastTry: ended(error),
    tolerated: failed ? isTolerated(step.continueOn, end) : end.partial,
  })
  const interrupted = before.stopDue
  const again = interrupted ? 'no' : runsAgain(step.repeatPolicy, stepAt(draft, index))
  if (again === 'yes') repeatLater(draft, index, at)
  else if (again === 'ask') changeStep(draft, index, { phase: 'decision_due' })
  else conclude(draft, index, at, interrupted)
}

/** The condition of the repeat policy was evaluated. */
export function decideRepeat(draft: Draft, index: number, at: number, met: boolean): void {
  const policy = plannedAt(draft.plan, index).step.repeatPolicy
  if (met === (policy?.mode === 'while')) repeatLater(draft, index, at)
  else conclude(draft, index, at, false)
}

/** Ends a step, and applies the consequences for the run. */
export function endStep(draft: Draft, index: number, at: number, end: StepEnd): void {
  finishStep(draft, index, { tolerated: false, ...end, finishedAt: at })
  if (index < draft.plan.graphSize) {
    propagateOutcome(draft, index, at)
  } else if (index === draft.plan.handlers.init && draft.run.ending === undefined) {
    const { status, tolerated } = stepAt(draft, index)
    if (status === 'cancelled' || (status === 'failed' && !tolerated)) {
      changeRun(draft, { ending: 'init_failed' })
    }
  }
}

/** Text that says why a step was interrupted. */
export function stopText({ plan, run }: Draft, index: number): string {
  if (!isBounded(plan, index)) return 'stopped'
  if (run.ending === 'runner_lost') return 'runner lost'
  return run.ending === 'timed_out' ? 'the run reached its time limit' : 'stopped'
}

function repeatLater(draft: Draft, index: number, at: number): void {
  const policy = plannedAt(draft.plan, index).step.repeatPolicy
  const waitMs = policy === undefined ? 0 : repeatWaitMs(policy, stepAt(draft, index).doneCount)
  changeStep(draft, index, { phase: 'waiting', waitUntil: at + waitMs })
}

function conclude(draft: Draft, index: number, at: number, interrupted: boolean): void {
  const { retryPolicy, continueOn } = plannedAt(draft.plan, index).step
  const step = stepAt(draft, index)
  if (step.error === '') {
    endStep(draft, index, at, { status: 'success', tolerated: step.tolerated })
  } else if (!interrupted && retryPolicy !== undefined && isRetried(retryPolicy, step)) {
    const retryCount = step.retryCount + 1
    changeStep(draft, index, {
      phase: 'waiting',
      retryCount,
      waitUntil: at + retryWaitMs(retryPolicy, retryCount),
    })
  } else if (step.tolerated && continueOn.markSuccess) {
    endStep(draft, index, at, { status: 'success' })
  } else {
    endStep(draft, index, at, { status: 'failed', tolerated: step.tolerated })
  }
}

function isTolerated(continueOn: ContinueOn, end: AttemptResult): boolean {
  return continueOn.failure || continueOn.exitCodes.includes(end.exitCode) || end.outputMatched
}

function failureText({ timedOut, exitCode }: AttemptResult): string {
  return timedOut ? 'the step reached its time limit' : `exit status ${exitCode}`
}
