import { plannedAt, type Plan } from './plan.ts'
import type { StoredStep } from './stored-step.ts'

/**
 * Selects the steps that a new attempt of a run executes again: names of the rows to delete, in the order of the plan.
 * Steps that succeeded or were skipped are kept, unless they depend on one that is not. Handlers run again.
 *
 * @param rows the stored steps of the run, which has ended
 */
export function resetForRetry(plan: Plan, rows: Iterable<Pick<StoredStep, 'name' | 'status'>>): string[] {
  const statuses = new Map(Array.from(rows, (row) => [row.name, row.status]))
  const names = plan.steps.map(({ step }) => step.name)
  const again = new Set<number>()
  const found = names.flatMap((name, index) => (isKept(statuses.get(name)) ? [] : [index]))
  for (let index = found.pop(); index !== undefined; index = found.pop()) {
    if (again.has(index)) continue
    again.add(index)
    found.push(...plannedAt(plan, index).dependents)
  }
  return names.filter((name, index) => statuses.has(name) && (again.has(index) || index >= plan.graphSize))
}

/**
 * Selects what a new attempt executes again for the sake of one step: the step itself, and the handlers. The steps that
 * depend on it keep their results.
 * @returns undefined when the graph has no such step
 */
export function resetStep(
  plan: Plan,
  rows: Iterable<Pick<StoredStep, 'name'>>,
  stepName: string,
): string[] | undefined {
  const stored = new Set(Array.from(rows, ({ name }) => name))
  const names = plan.steps.map(({ step }) => step.name)
  const chosen = names.indexOf(stepName)
  if (chosen === -1 || chosen >= plan.graphSize) return undefined
  return names.filter((name, index) => stored.has(name) && (index === chosen || index >= plan.graphSize))
}

/**
 * A step without a row needs no reset: it simply begins, and the steps that depend on it have not begun either, or are
 * kept.
 */
function isKept(status: StoredStep['status'] | undefined): boolean {
  return status === undefined || status === 'success' || status === 'skipped' || status === 'not_started'
}
