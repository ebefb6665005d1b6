import type { RunProgress } from './progress.ts'

/**
 * Places (ascending) of the steps that must be stored to get from one progress to a later one of the same run. A step
 * whose conditions are being checked counts as not started, because a new owner checks it again.
 */
export function changedSteps(before: RunProgress, after: RunProgress): number[] {
  const changed: number[] = []
  if (before.steps === after.steps) return changed
  after.steps.forEach((now, place) => {
    const then = before.steps[place]
    if (now === then || (now.status === 'not_started' && then?.status === 'not_started')) return
    changed.push(place)
  })
  return changed
}
