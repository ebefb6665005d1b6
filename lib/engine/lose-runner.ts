import { isFinalStep } from '#lib/core/status.ts'
import { changeRun, changeStep, type Draft } from './draft.ts'
import { endAttempt } from './end-attempt.ts'
import { untouchedStep } from './initial-progress.ts'
import { endForLoss, interruptStep } from './interrupt.ts'
import { propagateOutcome } from './propagate-outcome.ts'
import { isBounded, plannedAt } from './plan.ts'
import { lostExitCode } from './policies.ts'
import { stepAt } from './progress.ts'

/**
 * Applies the loss of the previous owner. Attempts are executed at most once, so a running one has failed, and its
 * policies decide what follows. Child runs live on and are attached again. Evaluations of conditions are repeated.
 * Statuses that were set by hand take effect on the dependent steps.
 * @param isLast too many owners were lost: no policy prolongs anything, and the run is ended
 */
export function loseRunner(draft: Draft, at: number, isLast: boolean): void {
  if (draft.run.checking) changeRun(draft, { checking: false })
  if (isLast) endForLoss(draft)
  for (const index of draft.steps.keys()) loseStep(draft, index, at, isLast)
  for (let index = 0; index < draft.plan.graphSize; index += 1) {
    if (isFinalStep(stepAt(draft, index).status)) propagateOutcome(draft, index, at)
  }
}

function loseStep(draft: Draft, index: number, at: number, isLast: boolean): void {
  const { status, phase, stopDue } = stepAt(draft, index)
  const isEnding = draft.run.ending !== undefined && isBounded(draft.plan, index)
  const isChild = plannedAt(draft.plan, index).step.child !== undefined
  const stopped = !isLast && (isEnding || stopDue || phase === 'stopping')
  switch (phase) {
    case 'idle':
      return
    case 'executing':
    case 'stopping':
    case 'reattach_due':
      if (isLast) changeStep(draft, index, { phase: 'executing', stopDue: true })
      if (isChild && !isLast) changeStep(draft, index, { phase: 'reattach_due', stopDue: stopped })
      else endAttempt(draft, index, at, { ...lostAttempt, stopped })
      return
    case 'checking':
    case 'waiting':
    case 'decision_due':
    case 'deciding':
      if (status === 'not_started') changeStep(draft, index, untouchedStep)
      else if (isEnding || isLast) interruptStep(draft, index, at)
      else if (phase === 'deciding') changeStep(draft, index, { phase: 'decision_due' })
  }
}

const lostAttempt = {
  exitCode: lostExitCode,
  error: 'runner lost',
  timedOut: false,
  outputs: {},
  outputMatched: false,
  partial: false,
}
