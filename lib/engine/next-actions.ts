import type { Action } from './actions.ts'
import { outcome } from './outcome.ts'
import { isBounded, plannedAt, type Plan } from './plan.ts'
import { stepAt, type RunProgress } from './progress.ts'
import { closingHandler, stageOf, type Stage } from './stage.ts'

/** The actions that are being collected for one answer. */
interface Agenda {
  readonly plan: Plan
  readonly progress: RunProgress
  readonly now: number
  readonly actions: Action[]
  /** The earliest time at which something becomes due; Infinity: never. */
  wakeAt: number
  /** With `delaySec`: no step of the DAG may start earlier. */
  nextStartAt: number
}

/**
 * What to do now. The same state and time always give the same actions, and each action is repeated until an event says
 * that it was begun. An empty list: wait for an event.
 *
 * @param now milliseconds since 1970
 */
export function nextActions(plan: Plan, progress: RunProgress, now: number): Action[] {
  const stage = stageOf(plan, progress)
  const limitAt = timeLimit(plan, progress, stage)
  if (now >= limitAt) return [{ type: 'time-out' }]
  const agenda: Agenda = {
    plan,
    progress,
    now,
    actions: [],
    wakeAt: limitAt,
    nextStartAt: (progress.lastStartAt ?? progress.startedAt) + plan.definition.delaySec * 1000,
  }
  planStage(agenda, stage)
  if (agenda.wakeAt !== Infinity) agenda.actions.push({ type: 'wake', at: agenda.wakeAt })
  return agenda.actions
}

/** The time limit applies until the graph is done; handlers of the closing stage run after it. */
function timeLimit(plan: Plan, progress: RunProgress, stage: Stage): number {
  const { timeoutSec } = plan.definition
  if (timeoutSec === 0 || stage === 'closing' || progress.ending !== undefined) return Infinity
  return progress.startedAt + timeoutSec * 1000
}

function planStage(agenda: Agenda, stage: Stage): void {
  const { plan, progress } = agenda
  switch (stage) {
    case 'check':
      if (!progress.checking) agenda.actions.push({ type: 'check-run' })
      return
    case 'init':
      if (plan.handlers.init !== undefined) planHandler(agenda, plan.handlers.init)
      return
    case 'graph':
      planGraph(agenda)
      return
    case 'closing': {
      const index = closingHandler(plan, progress)
      if (index === undefined) agenda.actions.push({ type: 'finish', ...outcome(plan, progress) })
      else planHandler(agenda, index)
    }
  }
}

function planHandler(agenda: Agenda, index: number): void {
  const { status, phase } = stepAt(agenda.progress, index)
  if (status === 'not_started' && phase === 'idle') begin(agenda, index)
  else proceed(agenda, index)
}

function planGraph(agenda: Agenda): void {
  const { plan, progress } = agenda
  const { due, ready, active } = progress.counts
  for (const index of due) proceed(agenda, index)
  if (progress.ending !== undefined) return
  const { maxActiveSteps } = plan.definition
  const free = maxActiveSteps > 0 ? Math.max(0, maxActiveSteps - active) : ready.length
  for (const index of ready.slice(0, free)) begin(agenda, index)
}

/** Handles a step that has not begun. */
function begin(agenda: Agenda, step: number): void {
  if (plannedAt(agenda.plan, step).step.preconditions.length > 0) {
    agenda.actions.push({ type: 'check-step', step })
  } else {
    start(agenda, step)
  }
}

/** Handles a step that has begun. */
function proceed(agenda: Agenda, step: number): void {
  const { phase, stopDue, waitUntil } = stepAt(agenda.progress, step)
  if (phase === 'waiting') {
    if (waitUntil === undefined || waitUntil <= agenda.now) start(agenda, step)
    else wake(agenda, waitUntil)
  } else if (phase === 'reattach_due') {
    agenda.actions.push({ type: 'start-attempt', step, reattach: true })
  } else if (phase === 'decision_due') {
    agenda.actions.push({ type: 'decide-repeat', step })
  } else if (stopDue) {
    const timedOut = agenda.progress.ending === 'timed_out' && isBounded(agenda.plan, step)
    agenda.actions.push({ type: 'stop-attempt', step, reason: timedOut ? 'timed_out' : 'stopped' })
  }
}

function start(agenda: Agenda, step: number): void {
  const { plan, now } = agenda
  const { delaySec } = plan.definition
  if (delaySec > 0 && step < plan.graphSize) {
    if (now < agenda.nextStartAt) {
      wake(agenda, agenda.nextStartAt)
      return
    }
    agenda.nextStartAt = now + delaySec * 1000
  }
  agenda.actions.push({ type: 'start-attempt', step, reattach: false })
}

function wake(agenda: Agenda, at: number): void {
  agenda.wakeAt = Math.min(agenda.wakeAt, at)
}
