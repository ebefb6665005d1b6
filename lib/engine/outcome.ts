import type { FinalRunStatus } from '#lib/core/status.ts'
import { plannedAt, type HandlerKind, type Plan } from './plan.ts'
import { stepAt, type RunProgress, type StepProgress } from './progress.ts'

export interface Outcome {
  readonly status: FinalRunStatus
  /** Empty unless something went wrong. */
  readonly error: string
}

/**
 * The status with which the run ends if nothing more happens; handlers receive it. A failing handler fails a run that
 * was fine so far (cancel and failure handlers run only when it was not).
 */
export function outcome(plan: Plan, progress: RunProgress): Outcome {
  const graph = graphOutcome(plan, progress)
  if (graph.status === 'failed' || graph.status === 'cancelled') return graph
  for (const kind of ['success', 'exit'] satisfies HandlerKind[]) {
    const index = plan.handlers[kind]
    if (index === undefined) continue
    const handler = stepAt(progress, index)
    if (handler.status === 'cancelled') return { status: 'cancelled', error: `${kind} handler stopped` }
    if (isFailure(handler)) {
      return { status: 'failed', error: `${kind} handler failed: ${handler.error}` }
    }
  }
  return graph
}

/** The outcome without the handlers of the closing stage, which depends on it. */
export function graphOutcome(plan: Plan, progress: RunProgress): Outcome {
  const graph = progress.steps.slice(0, plan.graphSize)
  switch (progress.ending) {
    case 'precondition_unmet':
      return { status: 'cancelled', error: 'precondition of the DAG not met' }
    case 'init_failed':
      return { status: 'cancelled', error: `init handler failed: ${initError(plan, progress)}` }
    case 'timed_out':
      return { status: 'failed', error: `time limit of ${plan.definition.timeoutSec} s reached` }
    case 'runner_lost':
      return { status: 'failed', error: 'the run lost its runner three times in a row' }
    case 'stopped':
      if (!wentWell(plan, progress, graph)) return { status: 'cancelled', error: 'stopped' }
      break
    case undefined:
      break
  }
  return stepsOutcome(plan, graph)
}

/** Whether nothing went wrong although the run was asked to stop: a stop that interrupted nothing changes nothing. */
function wentWell(plan: Plan, progress: RunProgress, graph: readonly StepProgress[]): boolean {
  const init = plan.handlers.init
  const steps = init === undefined ? graph : [...graph, stepAt(progress, init)]
  return (
    progress.checked &&
    steps.every((step) => step.status === 'success' || step.status === 'skipped' || step.tolerated)
  )
}

function initError(plan: Plan, progress: RunProgress): string {
  return plan.handlers.init === undefined ? '' : stepAt(progress, plan.handlers.init).error
}

/**
 * A failed step that `continueOn` does not tolerate fails the run. Tolerated failures and child runs with partial
 * success make a partial success, if any step succeeded at all. Skipped steps do not count.
 */
function stepsOutcome(plan: Plan, graph: readonly StepProgress[]): Outcome {
  const failed = graph.findIndex(isFailure)
  if (failed >= 0) return { status: 'failed', error: failureText(plan, graph, failed) }
  if (graph.some((step) => step.status === 'cancelled'))
    return { status: 'cancelled', error: 'a step was cancelled' }
  const tolerated = graph.findIndex((step) => step.status === 'failed')
  const succeeded = graph.some((step) => step.status === 'success')
  if (tolerated >= 0 && !succeeded) return { status: 'failed', error: failureText(plan, graph, tolerated) }
  const partly = tolerated >= 0 || graph.some((step) => step.status === 'success' && step.tolerated)
  return { status: partly ? 'partial_success' : 'success', error: '' }
}

function isFailure(step: StepProgress): boolean {
  return step.status === 'failed' && !step.tolerated
}

function failureText(plan: Plan, graph: readonly StepProgress[], index: number): string {
  return `step ${plannedAt(plan, index).step.name} failed: ${graph[index]?.error ?? ''}`
}
