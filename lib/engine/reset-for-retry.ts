import { plannedAt, type Plan } from './plan.ts'
import type { StoredStep } from './stored-step.ts'

/**
 * What a new attempt of a run runs again: the names of the steps whose rows are to be dropped, in the order of the
 * plan. Steps that succeeded or were skipped are kept, unless they stand behind a step that is not; handlers run
 * again.
 *
 * @param rows the stored steps of the run, which has ended
 */
export function resetForRetry(plan: Plan, rows: Iterable<Pick<StoredStep, 'name' | 'status'>>): string[] {
  const statuses = new Map(Array.from(rows, (row) => [row.name, row.status]))
  const names = plan.steps.map(({ step }) => step.name)
  const again = new Set<number>()
  const found = names.flatMap((name, place) => (isKept(statuses.get(name)) ? [] : [place]))
  for (let place = found.pop(); place !== undefined; place = found.pop()) {
    if (again.has(place)) continue
    again.add(place)
    found.push(...plannedAt(plan, place).dependents)
  }
  return names.filter((name, place) => statuses.has(name) && (again.has(place) || place >= plan.graphSize))
}

/** A step that was never begun is simply begun; what stands behind it was not begun either, or is kept. */
function isKept(status: StoredStep['status'] | undefined): boolean {
  return status === undefined || status === 'success' || status === 'skipped' || status === 'not_started'
}
