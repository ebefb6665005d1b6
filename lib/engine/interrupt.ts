import { changeRun, changeStep, finishStep, type Draft } from './draft.ts'
import { endStep, stopText } from './end-attempt.ts'
import { untouchedStep } from './initial-progress.ts'
import { isBounded } from './plan.ts'
import { stepAt } from './progress.ts'
import { closingHandler, stageOf } from './stage.ts'

/**
 * Applies a stop request. Before the closing stage it ends the run. In the closing stage it stops the running handler,
 * unless this very stop started that handler; the exit handler runs nevertheless.
 */
export function stopRun(draft: Draft, at: number): void {
  const { plan, before } = draft
  if (before.stoppedAt !== undefined && at <= before.stoppedAt) return
  changeRun(draft, { stoppedAt: at })
  if (stageOf(plan, before) === 'closing') {
    const handler = closingHandler(plan, before)
    if (handler !== undefined && stepAt(draft, handler).phase !== 'idle') interruptStep(draft, handler, at)
  } else if (before.ending === undefined) {
    endRun(draft, 'stopped', at)
  }
}

/** Applies the time limit of the run. Steps that have not begun are cancelled too. */
export function timeOutRun(draft: Draft, at: number): void {
  const { plan, before } = draft
  if (before.ending !== undefined || stageOf(plan, before) === 'closing') return
  endRun(draft, 'timed_out', at)
  for (let index = 0; index < plan.graphSize; index += 1) {
    if (stepAt(draft, index).status !== 'not_started') continue
    finishStep(draft, index, { status: 'cancelled', error: stopText(draft, index), finishedAt: at })
  }
}

/**
 * Too many owners of the run were lost: it starts no more steps. In the closing stage there are none left to start, and
 * its remaining handlers run.
 */
export function endForLoss(draft: Draft): void {
  const { plan, before } = draft
  if (before.ending !== undefined || stageOf(plan, before) === 'closing') return
  changeRun(draft, { ending: 'runner_lost' })
}

function endRun(draft: Draft, ending: 'stopped' | 'timed_out', at: number): void {
  changeRun(draft, { ending, checking: false })
  for (const index of draft.steps.keys()) {
    if (isBounded(draft.plan, index)) interruptStep(draft, index, at)
  }
}

/**
 * Interrupts a step. A running attempt must first be asked to end. A step that has not started executing returns to
 * idle; but a handler of the closing stage ends, since it would be started again.
 */
export function interruptStep(draft: Draft, index: number, at: number): void {
  const step = stepAt(draft, index)
  switch (step.phase) {
    case 'idle':
    case 'stopping':
      return
    case 'executing':
    case 'reattach_due':
      changeStep(draft, index, { stopDue: true })
      return
    case 'checking':
    case 'waiting':
    case 'decision_due':
    case 'deciding':
      if (step.status === 'not_started' && isBounded(draft.plan, index)) {
        changeStep(draft, index, untouchedStep)
      } else {
        endStep(draft, index, at, { status: 'cancelled', error: stopText(draft, index) })
      }
  }
}
