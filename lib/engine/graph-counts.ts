import { isFinalStep } from '#lib/core/status.ts'
import { plannedAt, type Plan } from './plan.ts'
import { stepAt, type RunProgress, type StepProgress, type GraphCounts } from './progress.ts'

/** Computes the counts from scratch. */
export function countGraph(plan: Plan, steps: readonly StepProgress[]): GraphCounts {
  const graph = steps.slice(0, plan.graphSize)
  const isOpen = graph.map((step) => !isFinalStep(step.status))
  const pending = graph.map(
    (_, index) => plannedAt(plan, index).dependsOn.filter((upstream) => isOpen[upstream]).length,
  )
  const indices = [...graph.keys()]
  return {
    open: isOpen.filter(Boolean).length,
    active: graph.filter(isActive).length,
    pending,
    ready: indices.filter((index) => isReady(stepAt({ steps }, index), pending[index])),
    due: indices.filter((index) => isDue(stepAt({ steps }, index))),
  }
}

interface Change {
  readonly steps: readonly StepProgress[]
  readonly pending: readonly number[]
  readonly touched: ReadonlySet<number>
}

/** The same result as `countGraph(plan, change.steps)`, at a cost proportional to the number of touched steps. */
export function nextCounts(
  plan: Plan,
  before: RunProgress,
  { steps, pending, touched }: Change,
): GraphCounts {
  let { open, active } = before.counts
  const ready = new Membership(before.counts.ready)
  const due = new Membership(before.counts.due)
  for (const index of touched) {
    if (index >= plan.graphSize) continue
    const then = stepAt(before, index)
    const now = stepAt({ steps }, index)
    open += Number(isFinalStep(then.status)) - Number(isFinalStep(now.status))
    active += Number(isActive(now)) - Number(isActive(then))
    ready.move(index, isReady(then, before.counts.pending[index]), isReady(now, pending[index]))
    due.move(index, isDue(then), isDue(now))
  }
  return { open, active, pending, ready: ready.indices(), due: due.indices() }
}

function isActive(step: StepProgress): boolean {
  return step.phase !== 'idle'
}

function isReady(step: StepProgress, pending: number | undefined): boolean {
  return step.status === 'not_started' && step.phase === 'idle' && pending === 0
}

function isDue({ phase, stopDue }: StepProgress): boolean {
  return phase === 'waiting' || phase === 'reattach_due' || phase === 'decision_due' || stopDue
}

/** Edits an ascending list. */
class Membership {
  readonly #before: readonly number[]
  readonly #joined: number[] = []
  readonly #left = new Set<number>()

  constructor(before: readonly number[]) {
    this.#before = before
  }

  move(index: number, was: boolean, is: boolean): void {
    if (is && !was) this.#joined.push(index)
    if (was && !is) this.#left.add(index)
  }

  indices(): readonly number[] {
    if (this.#joined.length === 0 && this.#left.size === 0) return this.#before
    const indices = this.#before.filter((index) => !this.#left.has(index))
    if (this.#joined.length === 0) return indices
    return indices.concat(this.#joined).sort((a, b) => a - b)
  }
}
