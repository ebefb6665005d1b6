/** A step as the graph sees it. */
export interface Linked {
  readonly name: string
  readonly dependsOn: readonly string[]
}

/** One box of the graph: a step, or a stack of steps with the same dependencies and dependents. */
export interface GraphBox {
  readonly key: string
  /** Indices of its steps. */
  readonly members: readonly number[]
  readonly isStack: boolean
}

export interface FoldedGraph {
  readonly boxes: readonly GraphBox[]
  /** An edge from a box to one that depends on it, by index; each once. */
  readonly edges: readonly (readonly [number, number])[]
}

/** Smaller groups are shown step by step. */
const stackMin = 8

/**
 * Folds equal steps into stacks, so that a fan-out of thousands becomes three boxes.
 * @param open keys of the stacks that are shown step by step
 */
export function foldSteps(steps: readonly Linked[], open: ReadonlySet<string>): FoldedGraph {
  const needs = placesOf(steps)
  const boxes: GraphBox[] = []
  const boxOf = new Int32Array(steps.length)
  const add = (key: string, members: readonly number[], isStack: boolean): void => {
    for (const index of members) boxOf[index] = boxes.length
    boxes.push({ key, members, isStack })
  }
  for (const members of equalSteps(needs).values()) {
    const name = steps[members[0] ?? 0]?.name ?? ''
    const key = `stack ${name}`
    if (members.length >= stackMin && !open.has(key)) add(key, members, true)
    else for (const index of members) add(`step ${steps[index]?.name ?? ''}`, [index], false)
  }
  return { boxes, edges: edgesOf(needs, boxOf) }
}

/** The dependencies of each step, as sorted indices. Unknown names are left out. */
function placesOf(steps: readonly Linked[]): number[][] {
  const indices = new Map(steps.map(({ name }, index) => [name, index]))
  return steps.map(({ dependsOn }, own) =>
    [...new Set(dependsOn)]
      .flatMap((name) => indices.get(name) ?? [])
      .filter((index) => index !== own)
      .toSorted((a, b) => a - b),
  )
}

function equalSteps(needs: readonly (readonly number[])[]): Map<string, number[]> {
  const neededBy = needs.map((): number[] => [])
  needs.forEach((indices, own) => indices.forEach((index) => neededBy[index]?.push(own)))
  const groups = new Map<string, number[]>()
  needs.forEach((indices, own) => {
    const key = `${indices.join(' ')}|${(neededBy[own] ?? []).join(' ')}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [own])
    else group.push(own)
  })
  return groups
}

function edgesOf(needs: readonly (readonly number[])[], boxOf: Int32Array): [number, number][] {
  const seen = new Set<number>()
  const edges: [number, number][] = []
  needs.forEach((indices, own) => {
    const to = boxOf[own] ?? 0
    for (const index of indices) {
      const from = boxOf[index] ?? 0
      const key = from * boxOf.length + to
      if (seen.has(key)) continue
      seen.add(key)
      edges.push([from, to])
    }
  })
  return edges
}
