import { limits } from '#lib/core/limits.ts'
import { nearestName } from '#lib/core/nearest-name.ts'
import type { Position } from '#lib/definition/reading/position.ts'

/** A step and the dependencies that it declares. */
export interface Waiting {
  readonly name: string
  readonly id: string | undefined
  /** Item of the step list; steps of the same item run in parallel. */
  readonly item: number
  /** Names or ids; empty: it depends on nothing; undefined: it declares nothing. */
  readonly names: readonly string[] | undefined
  readonly position: Position
}

/** Similar names are suggested only when there are at most this many steps. */
const hintNamesMax = 500

/**
 * Resolves the dependencies of each step: the steps that it names and, in a chain, those of the previous item, unless
 * it declares that it depends on nothing. Unknown names and cycles are reported as faults.
 * @returns for each step, names in the order of the text
 */
export function resolveDependencies(
  steps: readonly Waiting[],
  isChain: boolean,
): readonly (readonly string[])[] {
  const explicit = lookUp(steps)
  const previous = isChain ? previousItems(steps) : steps.map(() => none)
  const before = steps.map(({ names }, index) => (names?.length === 0 ? none : (previous[index] ?? none)))
  const pairs = steps.reduce((sum, _, index) => sum + lengthOf(explicit[index]) + lengthOf(before[index]), 0)
  if (pairs > limits.dependenciesMax) {
    const most = `must be at most ${limits.dependenciesMax} in the DAG, are ${pairs}`
    steps.find(({ names }) => names !== undefined)?.position.fault(most)
    if (steps.every(({ names }) => names === undefined)) steps[0]?.position.fault(most)
    return steps.map(() => [])
  }
  const graph = steps.map((_, index) => join(explicit[index] ?? none, before[index] ?? none))
  reportCycles(steps, graph, isChain)
  warnOfChain(steps, explicit, before)
  return namesOf(steps, graph)
}

type Indices = readonly number[]
const none: Indices = []

const lengthOf = (indices: Indices | undefined): number => indices?.length ?? 0

/** The indices of the steps that each step names. */
function lookUp(steps: readonly Waiting[]): Indices[] {
  const known = new Map<string, number>()
  for (const [index, { id }] of steps.entries()) if (id !== undefined) known.set(id, index)
  for (const [index, { name }] of steps.entries()) known.set(name, index)
  return steps.map(({ names = [], position }) =>
    names.flatMap(
      (name) => known.get(name) ?? known.get(name.trim()) ?? reportUnknown(name, position, known),
    ),
  )
}

function reportUnknown(name: string, position: Position, known: ReadonlyMap<string, number>): Indices {
  const names = known.size > hintNamesMax || name.length > 60 ? [] : [...known.keys()]
  const near = nearestName(name, names)
  const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
  position.fault(`must name a step of this DAG, there is no ${JSON.stringify(name.slice(0, 60))}${hint}`)
  return none
}

/** For each step, the steps of the previous item; members of an item share the list. */
function previousItems(steps: readonly Waiting[]): Indices[] {
  let item = -1
  let before: Indices = none
  let current: number[] = []
  return steps.map((step, index) => {
    if (step.item !== item) {
      item = step.item
      before = current
      current = []
    }
    current.push(index)
    return before
  })
}

function join(own: Indices, before: Indices): Indices {
  return own.length === 0 ? before : [...new Set([...own, ...before])].sort((one, other) => one - other)
}

/** Steps with the same dependencies share one list. */
function namesOf(steps: readonly Waiting[], graph: readonly Indices[]): readonly (readonly string[])[] {
  const known = new Map<Indices, readonly string[]>()
  return graph.map((indices) => {
    let names = known.get(indices)
    if (names === undefined) {
      names = indices.flatMap((index) => steps[index]?.name ?? [])
      known.set(indices, names)
    }
    return names
  })
}

/** Reports one cycle for each group of steps that depend on each other. */
function reportCycles(steps: readonly Waiting[], graph: readonly Indices[], isChain: boolean): void {
  const stuck = stuckSteps(graph)
  const seen = new Set<number>()
  for (const start of stuck) {
    const path: number[] = []
    let at: number | undefined = start
    while (at !== undefined && !seen.has(at)) {
      seen.add(at)
      path.push(at)
      at = graph[at]?.find((index) => stuck.has(index))
    }
    const from = at === undefined ? -1 : path.indexOf(at)
    if (from < 0) continue
    const cycle = [...path.slice(from), path[from] ?? start].map((index) => steps[index]?.name ?? '')
    const hint = isChain ? '; in a chain each step waits for the one before it, type: graph changes that' : ''
    steps[path[from] ?? start]?.position.fault(
      `must not lead back to the step itself: ${shorten(cycle)}${hint}`,
    )
  }
}

/** Warns, once, where the author of a chain may have meant branches. */
function warnOfChain(
  steps: readonly Waiting[],
  explicit: readonly Indices[],
  before: readonly Indices[],
): void {
  for (const [index, step] of steps.entries()) {
    const own = explicit[index] ?? none
    const added = own.length === 0 ? undefined : before[index]?.find((other) => !own.includes(other))
    if (added === undefined) continue
    const name = JSON.stringify(steps[added]?.name.slice(0, 60))
    step.position.warn(
      `does not name ${name}, but the step of a chain waits for it; type: graph changes that`,
    )
    return
  }
}

/** The steps that can never run, because they are in a cycle or depend on one. */
function stuckSteps(graph: readonly Indices[]): Set<number> {
  const dependents: number[][] = graph.map(() => [])
  const open = graph.map((upstreams, index) => {
    for (const upstream of upstreams) dependents[upstream]?.push(index)
    return upstreams.length
  })
  const ready = [...open.keys()].filter((index) => open[index] === 0)
  const stuck = new Set(open.keys())
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    stuck.delete(index)
    for (const dependent of dependents[index] ?? []) {
      const left = (open[dependent] ?? 0) - 1
      open[dependent] = left
      if (left === 0) ready.push(dependent)
    }
  }
  return stuck
}

function shorten(cycle: readonly string[]): string {
  const shown = cycle.length > 12 ? [...cycle.slice(0, 10), '…', ...cycle.slice(-1)] : cycle
  return shown.join(' → ')
}
