import { finishStep, type Draft, type StepEnd } from './draft.ts'
import { plannedAt } from './plan.ts'
import { stepAt, type StepProgress } from './progress.ts'

/**
 * Applies the end of a step to the steps that depend on it. After a failure that is not tolerated, or a cancelled step,
 * they are cancelled at once; after a skipped step they are skipped once nothing is pending. While the run is ending,
 * steps that have not begun stay as they are.
 */
export function propagateOutcome(draft: Draft, index: number, at: number): void {
  if (draft.run.ending !== undefined) return
  const ended = [index]
  for (let from = ended.pop(); from !== undefined; from = ended.pop()) {
    const upstream = stepAt(draft, from)
    for (const dependent of plannedAt(draft.plan, from).dependents) {
      if (stepAt(draft, dependent).status !== 'not_started') continue
      const end = consequence(draft, dependent, upstream)
      if (end === undefined) continue
      finishStep(draft, dependent, { ...end, finishedAt: at })
      ended.push(dependent)
    }
  }
}

function consequence(draft: Draft, index: number, upstream: StepProgress): StepEnd | undefined {
  if (upstream.status === 'failed' && !upstream.tolerated) {
    return { status: 'cancelled', error: 'upstream failed', tolerated: false }
  }
  if (upstream.status === 'cancelled') return { status: 'cancelled', error: '', tolerated: false }
  if (draft.pending[index] !== 0) return undefined
  const { step, dependsOn } = plannedAt(draft.plan, index)
  const behindSkipped = dependsOn.some((other) => {
    const { status, tolerated } = stepAt(draft, other)
    return status === 'skipped' && !tolerated
  })
  if (!behindSkipped) return undefined
  return { status: 'skipped', error: 'upstream skipped', tolerated: step.continueOn.skipped }
}
