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
  const { step: place } = event
  const { phase, stopDue } = stepAt(draft, place)
  switch (event.type) {
    case 'step-checking':
      if (isUntouched(draft, place)) changeStep(draft, place, { phase: 'checking' })
      return
    case 'step-checked':
      if (phase === 'checking') endCheck(draft, place, event.at, event.conditions)
      return
    case 'attempt-started':
      startAttempt(draft, place, event.at)
      return
    case 'attempt-ended':
      if (isUnderWay(phase)) endAttempt(draft, place, event.at, event.result)
      return
    case 'repeat-deciding':
      if (phase === 'decision_due') changeStep(draft, place, { phase: 'deciding' })
      return
    case 'repeat-decided':
      if (phase === 'deciding') decideRepeat(draft, place, event.at, event.met)
      return
    case 'stop-sent':
      if (phase === 'executing' && stopDue) changeStep(draft, place, { phase: 'stopping', stopDue: false })
  }
}

function isUnderWay(phase: StepPhase): boolean {
  return phase === 'executing' || phase === 'stopping'
}

function isUntouched(draft: Draft, place: number): boolean {
  const { status, phase } = stepAt(draft, place)
  return status === 'not_started' && phase === 'idle' && mayBegin(draft.plan, draft.before, place)
}

function endCheck(draft: Draft, place: number, at: number, conditions: readonly ConditionResult[]): void {
  if (conditions.every((condition) => condition.met)) {
    changeStep(draft, place, { phase: 'waiting', waitUntil: at, conditions })
    return
  }
  const tolerated = plannedAt(draft.plan, place).step.continueOn.skipped
  changeStep(draft, place, { startedAt: at, conditions })
  endStep(draft, place, at, { status: 'skipped', tolerated })
}

function startAttempt(draft: Draft, place: number, at: number): void {
  const before = stepAt(draft, place)
  if (before.phase === 'reattach_due') {
    changeStep(draft, place, { phase: 'executing' })
    return
  }
  if (before.phase !== 'waiting' && !isUntouched(draft, place)) return
  changeStep(draft, place, {
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
  if (place < draft.plan.graphSize) changeRun(draft, { lastStartAt: at })
}
