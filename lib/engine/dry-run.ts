import type { Action, RunEvent } from './actions.ts'
import { applyEvent } from './apply-event.ts'
import { initialProgress } from './initial-progress.ts'
import { nextActions } from './next-actions.ts'
import type { Definition, Step } from '#lib/definition/definition.ts'
import { plannedAt, planRun, type Plan } from './plan.ts'

/**
 * Plays a run in which every condition is met and every step succeeds at once, by the rules of a real one.
 * @returns names of the steps in start order; steps of one inner list start together
 */
export function dryRun(definition: Definition): string[][] {
  const plan = planRun(onceEach(definition))
  let progress = initialProgress(plan, 0)
  const waves: string[][] = []
  for (;;) {
    const actions = nextActions(plan, progress, 0)
    if (actions.some(({ type }) => type === 'finish')) return waves
    // Conditions are checked first, so that steps with and without preconditions start together.
    const checks = actions.filter(({ type }) => type === 'check-run' || type === 'check-step')
    const taken = checks.length > 0 ? checks : actions
    const started = taken.flatMap((action) => (action.type === 'start-attempt' ? [action.step] : []))
    if (started.length > 0) {
      waves.push(
        started.toSorted((one, other) => one - other).map((index) => plannedAt(plan, index).step.name),
      )
    }
    const events = taken.flatMap((action) => answersTo(plan, action))
    for (const event of events) progress = applyEvent(plan, progress, event)
    if (events.length === 0) return waves
  }
}

/** The definition without anything that takes time: repetitions, delays, the time limit of the run. */
function onceEach(definition: Definition): Definition {
  const once = (step: Step): Step => ({ ...step, repeatPolicy: undefined })
  const handlers = Object.fromEntries(
    Object.entries(definition.handlers).map(([kind, step]) => [kind, once(step as Step)]),
  )
  return { ...definition, steps: definition.steps.map(once), handlers, delaySec: 0, timeoutSec: 0 }
}

const good = { exitCode: 0, error: '', stopped: false, timedOut: false, outputMatched: false, partial: false }

function answersTo(plan: Plan, action: Action): RunEvent[] {
  const at = 0
  if (action.type === 'check-run') return [{ type: 'run-checking' }, { type: 'run-checked', met: true }]
  if (action.type !== 'check-step' && action.type !== 'start-attempt') return []
  const { step } = action
  if (action.type === 'start-attempt') {
    return [
      { type: 'attempt-started', step, at },
      { type: 'attempt-ended', step, at, result: { ...good, outputs: {} } },
    ]
  }
  const conditions = plannedAt(plan, step).step.preconditions.map(() => ({ met: true, error: '' }))
  return [
    { type: 'step-checking', step },
    { type: 'step-checked', step, conditions, at },
  ]
}
