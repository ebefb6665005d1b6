import type { ConditionResult } from './progress.ts'
import type { RunEvent } from './actions.ts'
import { changeRun, changeStep, openDraft, sealDraft, type Draft } from './draft.ts'
import { decideRepeat, endAttempt, endStep } from './end-attempt.ts'
import { stopRun, timeOutRun } from './interrupt.ts'
import { loseRunner } from './lose-runner.ts'
import { plannedAt, type Plan } from './plan.ts'
import { stepAt, type RunProgress, type StepPhase } from './progress.ts'
import { mayBegin } from './stage.ts'

/**
 * Returns the progress after an event. Unchanged parts stay the same objects. An event that does not fit the state
 * changes nothing.
 */
export function applyEvent(plan: Plan, progress: RunProgress, event: RunEvent): RunProgress {
  const draft = openDraft(plan, progress)
  if ('step' in event) {
    if (progress.steps[event.step] !== undefined) applyToStep(draft, event)
  } else {
    applyToRun(draft, event)
  }
  return sealDraft(draft)
}

type StepEvent = Extract<RunEvent, { readonly step: number }>

function applyToRun(draft: Draft, event: Exclude<RunEvent, StepEvent>): void {
  const { checked, checking, ending } = draft.before
  switch (event.type) {
    case 'run-checking':
      if (!checked && !checking && ending === undefined) changeRun(draft, { checking: true })
      return
    case 'run-checked':
      if (!checking) return
      changeRun(draft, { checked: true, checking: false })
      if (!event.met) changeRun(draft, { ending: 'precondition_unmet' })
      return
    case 'stop-requested':
      stopRun(draft, event.at)
      return
    case 'timed-out':
      timeOutRun(draft, event.at)
      return
    case 'runner-lost':
      loseRunner(draft, event.at, event.isLast ?? false)
  }
}

function applyToStep(draft: Draft, event: StepEvent): void {
  const { step: index } = event
  const { phase, stopDue } = stepAt(draft, index)
  switch (event.type) {
    case 'step-checking':
      if (isUntouched(draft, index)) changeStep(draft, index, { phase: 'checking' })
      return
    case 'step-checked':
      if (phase === 'checking') endCheck(draft, index, event.at, event.conditions)
      return
    case 'attempt-started':
      startAttempt(draft, index, event.at)
      return
    case 'attempt-ended':
      if (isUnderWay(phase)) endAttempt(draft, index, event.at, event.result)
      return
    case 'repeat-deciding':
      if (phase === 'decision_due') changeStep(draft, index, { phase: 'deciding' })
      return
    case 'repeat-decided':
      if (phase === 'deciding') decideRepeat(draft, index, event.at, event.met)
      return
    case 'stop-sent':
      if (phase === 'executing' && stopDue) changeStep(draft, index, { phase: 'stopping', stopDue: false })
  }
}

function isUnderWay(phase: StepPhase): boolean {
  return phase === 'executing' || phase === 'stopping'
}

function isUntouched(draft: Draft, index: number): boolean {
  const { status, phase } = stepAt(draft, index)
  return status === 'not_started' && phase === 'idle' && mayBegin(draft.plan, draft.before, index)
}

function endCheck(draft: Draft, index: number, at: number, conditions: readonly ConditionResult[]): void {
  if (conditions.every((condition) => condition.met)) {
    changeStep(draft, index, { phase: 'waiting', waitUntil: at, conditions })
    return
  }
  const tolerated = plannedAt(draft.plan, index).step.continueOn.skipped
  changeStep(draft, index, { startedAt: at, conditions })
  endStep(draft, index, at, { status: 'skipped', tolerated })
}

function startAttempt(draft: Draft, index: number, at: number): void {
  const before = stepAt(draft, index)
  if (before.phase === 'reattach_due') {
    changeStep(draft, index, { phase: 'executing' })
    return
  }
  if (before.phase !== 'waiting' && !isUntouched(draft, index)) return
  changeStep(draft, index, {
    status: 'running',
    phase: 'executing',
    startedAt: before.startedAt ?? at,
    triedAt: at,
    waitUntil: undefined,
    exitCode: undefined,
    error: '',
    timedOut: false,
    tolerated: false,
    outputs: {},
  })
  if (index < draft.plan.graphSize) changeRun(draft, { lastStartAt: at })
}
