import { isFinalStep } from '../core/status.ts'
import type { Plan } from './plan.ts'
import type { RunProgress, StepProgress, Tally } from './progress.ts'

/** Counts everything anew. */
export function tallyOf(plan: Plan, steps: readonly StepProgress[]): Tally {
  const graph = steps.slice(0, plan.graphSize)
  const isOpen = graph.map((step) => !isFinalStep(step.status))
  const pending = graph.map(
    (_, place) => plan.steps[place]?.dependsOn.filter((upstream) => isOpen[upstream]).length ?? 0,
  )
  const places = [...graph.keys()]
  return {
    open: isOpen.filter(Boolean).length,
    active: graph.filter(isActive).length,
    pending,
    ready: places.filter((place) => isReady(graph[place], pending[place])),
    due: places.filter((place) => isDue(graph[place])),
  }
}

interface Change {
  readonly steps: readonly StepProgress[]
  readonly pending: readonly number[]
  readonly touched: ReadonlySet<number>
}

/** The same as `tallyOf(plan, change.steps)`, at a cost that grows with what was touched. */
export function nextTally(plan: Plan, before: RunProgress, { steps, pending, touched }: Change): Tally {
  let { open, active } = before.tally
  const ready = new Membership(before.tally.ready)
  const due = new Membership(before.tally.due)
  for (const place of touched) {
    const then = before.steps[place]
    const now = steps[place]
    if (place >= plan.graphSize || then === undefined || now === undefined) continue
    open += Number(isFinalStep(then.status)) - Number(isFinalStep(now.status))
    active += Number(isActive(now)) - Number(isActive(then))
    ready.move(place, isReady(then, before.tally.pending[place]), isReady(now, pending[place]))
    due.move(place, isDue(then), isDue(now))
  }
  return { open, active, pending, ready: ready.places(), due: due.places() }
}

function isActive(step: StepProgress): boolean {
  return step.phase !== 'idle'
}

function isReady(step: StepProgress | undefined, pending: number | undefined): boolean {
  return step?.status === 'not_started' && step.phase === 'idle' && pending === 0
}

function isDue(step: StepProgress | undefined): boolean {
  if (step === undefined) return false
  const { phase } = step
  return phase === 'waiting' || phase === 'reattach_due' || phase === 'decision_due' || step.stopDue
}

/** Changes to an ascending list. */
class Membership {
  readonly #before: readonly number[]
  readonly #joined: number[] = []
  readonly #left = new Set<number>()

  constructor(before: readonly number[]) {
    this.#before = before
  }

  move(place: number, was: boolean, is: boolean): void {
    if (is && !was) this.#joined.push(place)
    if (was && !is) this.#left.add(place)
  }

  places(): readonly number[] {
    if (this.#joined.length === 0 && this.#left.size === 0) return this.#before
    const places = this.#before.filter((place) => !this.#left.has(place))
    if (this.#joined.length === 0) return places
    return places.concat(this.#joined).sort((a, b) => a - b)
  }
}
