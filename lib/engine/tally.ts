import { isFinalStep } from '#lib/core/status.ts'
import { plannedAt, type Plan } from './plan.ts'
import { stepAt, type RunProgress, type StepProgress, type Tally } from './progress.ts'

/** Computes the tally from scratch. */
export function tallyOf(plan: Plan, steps: readonly StepProgress[]): Tally {
  const graph = steps.slice(0, plan.graphSize)
  const isOpen = graph.map((step) => !isFinalStep(step.status))
  const pending = graph.map(
    (_, place) => plannedAt(plan, place).dependsOn.filter((upstream) => isOpen[upstream]).length,
  )
  const places = [...graph.keys()]
  return {
    open: isOpen.filter(Boolean).length,
    active: graph.filter(isActive).length,
    pending,
    ready: places.filter((place) => isReady(stepAt({ steps }, place), pending[place])),
    due: places.filter((place) => isDue(stepAt({ steps }, place))),
  }
}

interface Change {
  readonly steps: readonly StepProgress[]
  readonly pending: readonly number[]
  readonly touched: ReadonlySet<number>
}

/** The same result as `tallyOf(plan, change.steps)`, at a cost proportional to the number of touched steps. */
export function nextTally(plan: Plan, before: RunProgress, { steps, pending, touched }: Change): Tally {
  let { open, active } = before.tally
  const ready = new Membership(before.tally.ready)
  const due = new Membership(before.tally.due)
  for (const place of touched) {
    if (place >= plan.graphSize) continue
    const then = stepAt(before, place)
    const now = stepAt({ steps }, place)
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
