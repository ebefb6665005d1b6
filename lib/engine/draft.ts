import type { StepStatus } from '#lib/core/status.ts'
import { plannedAt, type Plan } from './plan.ts'
import { stepAt, type RunProgress, type StepProgress } from './progress.ts'
import { nextTally } from './tally.ts'

type RunFields = Omit<RunProgress, 'steps' | 'tally'>

/** A progress while one event is applied to it. Only `changeRun`, `changeStep` and `finishStep` write. */
export interface Draft {
  readonly plan: Plan
  readonly before: RunProgress
  run: RunFields
  readonly steps: StepProgress[]
  readonly pending: number[]
  /** Places where the step or its count of pending steps is another one than before. */
  readonly touched: Set<number>
}

export function openDraft(plan: Plan, progress: RunProgress): Draft {
  return {
    plan,
    before: progress,
    run: progress,
    steps: progress.steps.slice(),
    pending: progress.tally.pending.slice(),
    touched: new Set(),
  }
}

/** The progress after the event; the very same object as before when nothing changed. */
export function sealDraft(draft: Draft): RunProgress {
  const { plan, before, run, steps, pending, touched } = draft
  if (touched.size === 0) return run === before ? before : { ...before, ...run }
  return { ...before, ...run, steps, tally: nextTally(plan, before, { steps, pending, touched }) }
}

export function changeRun(draft: Draft, change: Partial<RunFields>): void {
  draft.run = { ...draft.run, ...change }
}

export function changeStep(draft: Draft, place: number, change: Partial<StepProgress>): void {
  draft.steps[place] = { ...stepAt(draft, place), ...change }
  draft.touched.add(place)
}

/** What a step ends with. */
export interface StepEnd extends Partial<Omit<StepProgress, 'finishedAt'>> {
  readonly status: Exclude<StepStatus, 'not_started' | 'running'>
}

/** Brings a step to its end. The steps behind it learn only that they wait for one step less. */
export function finishStep(
  draft: Draft,
  place: number,
  end: StepEnd & { readonly finishedAt: number },
): void {
  changeStep(draft, place, { ...end, phase: 'idle', stopDue: false, waitUntil: undefined })
  for (const dependent of plannedAt(draft.plan, place).dependents) {
    const left = (draft.pending[dependent] ?? 0) - 1
    draft.pending[dependent] = left
    if (left === 0) draft.touched.add(dependent)
  }
}
