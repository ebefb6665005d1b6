import { isFinalStep } from '#lib/core/status.ts'
import { graphOutcome } from './outcome.ts'
import type { HandlerKind, Plan } from './plan.ts'
import { stepAt, type RunProgress } from './progress.ts'

/**
 * The stages of a run:
 *  check    the preconditions of the DAG
 *  init     its init handler
 *  graph    its steps
 *  closing  the handler for the outcome, then the exit handler; nothing ends this stage early
 */
export type Stage = 'check' | 'init' | 'graph' | 'closing'

export function stageOf(plan: Plan, progress: RunProgress): Stage {
  const init = plan.handlers.init === undefined ? undefined : stepAt(progress, plan.handlers.init)
  const { open, active } = progress.counts
  if (progress.ending !== undefined) {
    if (init !== undefined && init.phase !== 'idle') return 'init'
    return active > 0 ? 'graph' : 'closing'
  }
  if (!progress.checked) return 'check'
  if (init !== undefined && !isFinalStep(init.status)) return 'init'
  return open > 0 ? 'graph' : 'closing'
}

/** The index of the handler to run next in the closing stage; undefined: all are done. */
export function closingHandler(plan: Plan, progress: RunProgress): number | undefined {
  const kinds: readonly HandlerKind[] = [handlerFor(plan, progress), 'exit']
  return kinds
    .map((kind) => plan.handlers[kind])
    .find((index) => index !== undefined && !isFinalStep(stepAt(progress, index).status))
}

function handlerFor(plan: Plan, progress: RunProgress): HandlerKind {
  const { status } = graphOutcome(plan, progress)
  return status === 'failed' ? 'failure' : status === 'cancelled' ? 'cancel' : 'success'
}

/** Whether the stage of the run, and its dependencies, allow a step to begin. */
export function mayBegin(plan: Plan, progress: RunProgress, index: number): boolean {
  const stage = stageOf(plan, progress)
  if (index < plan.graphSize) {
    return stage === 'graph' && progress.ending === undefined && progress.counts.pending[index] === 0
  }
  if (stage === 'init') return index === plan.handlers.init
  return stage === 'closing' && index === closingHandler(plan, progress)
}
