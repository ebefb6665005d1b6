import type { StepStatus } from '#lib/core/status.ts'
import { plannedAt, type Plan } from './plan.ts'
import { stepAt, type RunProgress, type StepProgress } from './progress.ts'
import { nextCounts } from './graph-counts.ts'

type RunFields = Omit<RunProgress, 'steps' | 'counts'>

/**
 * A mutable progress, while one event is applied to it. Only `changeRun`, `changeStep` and `finishStep` write to it.
 */
export interface Draft {
  readonly plan: Plan
  readonly before: RunProgress
  run: RunFields
  readonly steps: StepProgress[]
  readonly pending: number[]
  /** Indices at which the step, or its number of pending dependencies, has changed. */
  readonly touched: Set<number>
}

export function openDraft(plan: Plan, progress: RunProgress): Draft {
  return {
    plan,
    before: progress,
    run: progress,
    steps: progress.steps.slice(),
    pending: progress.counts.pending.slice(),
    touched: new Set(),
  }
}

/** The progress after the event; the same object as before when nothing changed. */
export function sealDraft(draft: Draft): RunProgress {
  const { plan, before, run, steps, pending, touched } = draft
  if (touched.size === 0) return run === before ? before : { ...before, ...run }
  return { ...before, ...run, steps, counts: nextCounts(plan, before, { steps, pending, touched }) }
}

export function changeRun(draft: Draft, change: Partial<RunFields>): void {
  draft.run = { ...draft.run, ...change }
}

export function changeStep(draft: Draft, index: number, change: Partial<StepProgress>): void {
  draft.steps[index] = { ...stepAt(draft, index), ...change }
  draft.touched.add(index)
}

/** The final state of a step. */
export interface StepEnd extends Partial<Omit<StepProgress, 'finishedAt'>> {
  readonly status: Exclude<StepStatus, 'not_started' | 'running'>
}

/** Ends a step. The steps that depend on it wait for one step less; nothing else happens to them here. */
export function finishStep(
  draft: Draft,
  index: number,
  end: StepEnd & { readonly finishedAt: number },
): void {
  changeStep(draft, index, { ...end, phase: 'idle', stopDue: false, waitUntil: undefined })
  for (const dependent of plannedAt(draft.plan, index).dependents) {
    const left = (draft.pending[dependent] ?? 0) - 1
    draft.pending[dependent] = left
    if (left === 0) draft.touched.add(dependent)
  }
}
