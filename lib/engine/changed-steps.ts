import type { RunProgress } from './progress.ts'

/**
 * Indices (ascending) of the steps that must be stored to get from one progress to a later one of the same run. A step
 * whose conditions are being checked counts as not started, because a new owner checks it again.
 */
export function changedSteps(before: RunProgress, after: RunProgress): number[] {
  const changed: number[] = []
  if (before.steps === after.steps) return changed
  after.steps.forEach((now, index) => {
    const then = before.steps[index]
    if (now === then || (now.status === 'not_started' && then?.status === 'not_started')) return
    changed.push(index)
  })
  return changed
}
