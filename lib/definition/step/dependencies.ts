import { limits } from '#lib/core/limits.ts'
import { nearestName } from '#lib/core/nearest-name.ts'
import type { Place } from '#lib/definition/reading/place.ts'

/** A step and the dependencies that it declares. */
export interface Waiting {
  readonly name: string
  readonly id: string | undefined
  /** Item of the step list; steps of the same item run in parallel. */
  readonly item: number
  /** Names or ids; empty: it depends on nothing; undefined: it declares nothing. */
  readonly names: readonly string[] | undefined
  readonly place: Place
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
  const previous = isChain ? previousItems(steps) : steps.map(() => noPlaces)
  const before = steps.map(({ names }, index) =>
    names?.length === 0 ? noPlaces : (previous[index] ?? noPlaces),
  )
  const pairs = steps.reduce((sum, _, index) => sum + lengthOf(explicit[index]) + lengthOf(before[index]), 0)
  if (pairs > limits.dependenciesMax) {
    const most = `must be at most ${limits.dependenciesMax} in the DAG, are ${pairs}`
    steps.find(({ names }) => names !== undefined)?.place.fault(most)
    if (steps.every(({ names }) => names === undefined)) steps[0]?.place.fault(most)
    return steps.map(() => [])
  }
  const graph = steps.map((_, index) => join(explicit[index] ?? noPlaces, before[index] ?? noPlaces))
  tellCycles(steps, graph, isChain)
  return namesOf(steps, graph)
}

type Places = readonly number[]
const noPlaces: Places = []

const lengthOf = (places: Places | undefined): number => places?.length ?? 0

/** The places of the steps that each step names. */
function lookUp(steps: readonly Waiting[]): Places[] {
  const places = new Map<string, number>()
  for (const [place, { id }] of steps.entries()) if (id !== undefined) places.set(id, place)
  for (const [place, { name }] of steps.entries()) places.set(name, place)
  return steps.map(({ names = [], place }) =>
    names.flatMap((name) => places.get(name) ?? places.get(name.trim()) ?? tellUnknown(name, place, places)),
  )
}

function tellUnknown(name: string, place: Place, known: ReadonlyMap<string, number>): Places {
  const names = known.size > hintNamesMax || name.length > 60 ? [] : [...known.keys()]
  const near = nearestName(name, names)
  const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
  place.fault(`must name a step of this DAG, there is no ${JSON.stringify(name.slice(0, 60))}${hint}`)
  return noPlaces
}

/** For each step, the steps of the previous item; members of an item share the list. */
function previousItems(steps: readonly Waiting[]): Places[] {
  let item = -1
  let before: Places = noPlaces
  let current: number[] = []
  return steps.map((step, place) => {
    if (step.item !== item) {
      item = step.item
      before = current
      current = []
    }
    current.push(place)
    return before
  })
}

function join(own: Places, before: Places): Places {
  return own.length === 0 ? before : [...new Set([...own, ...before])].sort((one, other) => one - other)
}

/** Steps with the same dependencies share one list. */
function namesOf(steps: readonly Waiting[], graph: readonly Places[]): readonly (readonly string[])[] {
  const known = new Map<Places, readonly string[]>()
  return graph.map((places) => {
    let names = known.get(places)
    if (names === undefined) {
      names = places.flatMap((place) => steps[place]?.name ?? [])
      known.set(places, names)
    }
    return names
  })
}

/** Reports one cycle for each group of steps that depend on each other. */
function tellCycles(steps: readonly Waiting[], graph: readonly Places[], isChain: boolean): void {
  const stuck = stuckPlaces(graph)
  const seen = new Set<number>()
  for (const start of stuck) {
    const path: number[] = []
    let at: number | undefined = start
    while (at !== undefined && !seen.has(at)) {
      seen.add(at)
      path.push(at)
      at = graph[at]?.find((place) => stuck.has(place))
    }
    const from = at === undefined ? -1 : path.indexOf(at)
    if (from < 0) continue
    const cycle = [...path.slice(from), path[from] ?? start].map((place) => steps[place]?.name ?? '')
    const hint = isChain ? '; in a chain each step waits for the one before it, type: graph changes that' : ''
    steps[path[from] ?? start]?.place.fault(`must not lead back to the step itself: ${shorten(cycle)}${hint}`)
  }
}

/** The steps that can never run, because they are in a cycle or depend on one. */
function stuckPlaces(graph: readonly Places[]): Set<number> {
  const dependents: number[][] = graph.map(() => [])
  const open = graph.map((places, place) => {
    for (const upstream of places) dependents[upstream]?.push(place)
    return places.length
  })
  const ready = [...open.keys()].filter((place) => open[place] === 0)
  const stuck = new Set(open.keys())
  for (let place = ready.pop(); place !== undefined; place = ready.pop()) {
    stuck.delete(place)
    for (const dependent of dependents[place] ?? []) {
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
