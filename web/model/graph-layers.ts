/** An edge from a vertex to one that depends on it. */
export type Edge = readonly [number, number]

/**
 * Vertices in layers: first the boxes, then the bends of edges that cross layers, so that every edge between two
 * vertices leads from one layer to the next.
 */
export interface Layers {
  readonly layers: readonly number[][]
  readonly layerOf: readonly number[]
  /** The neighbours of each vertex in the layer before it, and in the one after it. */
  readonly before: readonly number[][]
  readonly after: readonly number[][]
  /** The vertices along each edge, its ends included. */
  readonly paths: readonly (readonly number[])[]
}

/** With more bends, ordering takes too long: further edges are drawn straight. */
const bendsMax = 30_000

/** Puts each of `count` boxes into a layer after its dependencies. */
export function layersOf(count: number, edges: readonly Edge[]): Layers {
  const layerOf = longestPaths(count, edges)
  const before: number[][] = Array.from({ length: count }, () => [])
  const after: number[][] = Array.from({ length: count }, () => [])
  const paths: number[][] = []
  let bends = 0
  for (const [from, to] of edges) {
    const [first = 0, last = 0] = [layerOf[from], layerOf[to]]
    const path = [from]
    const isBent = bends + last - first - 1 <= bendsMax
    for (let layer = first + 1; isBent && layer < last; layer++) {
      path.push(layerOf.length)
      layerOf.push(layer)
      before.push([])
      after.push([])
      bends += 1
    }
    path.push(to)
    paths.push(path)
    if (!isBent) continue
    path.slice(1).forEach((vertex, index) => {
      const other = path[index] ?? 0
      after[other]?.push(vertex)
      before[vertex]?.push(other)
    })
  }
  const layers: number[][] = Array.from({ length: Math.max(0, ...layerOf.map(oneMore)) }, () => [])
  layerOf.forEach((layer, vertex) => layers[layer]?.push(vertex))
  return { layers, layerOf, before, after, paths }
}

const oneMore = (layer: number): number => layer + 1

/** The longest path to each box. A box without dependencies moves to just before the first box that needs it. */
function longestPaths(count: number, edges: readonly Edge[]): number[] {
  const after: number[][] = Array.from({ length: count }, () => [])
  const waiting = new Int32Array(count)
  for (const [from, to] of edges) {
    after[from]?.push(to)
    waiting[to] = (waiting[to] ?? 0) + 1
  }
  const isSource = Array.from(waiting, (needed) => needed === 0)
  const layerOf: number[] = Array.from({ length: count }, () => 0)
  const ready = isSource.flatMap((is, box) => (is ? [box] : []))
  for (const box of ready) {
    for (const next of after[box] ?? []) {
      layerOf[next] = Math.max(layerOf[next] ?? 0, (layerOf[box] ?? 0) + 1)
      waiting[next] = (waiting[next] ?? 0) - 1
      if (waiting[next] === 0) ready.push(next)
    }
  }
  isSource.forEach((is, box) => {
    const needed = after[box] ?? []
    if (is && needed.length > 0) layerOf[box] = least(needed.map((next) => layerOf[next] ?? 0)) - 1
  })
  return layerOf
}

const least = (values: readonly number[]): number => values.reduce((one, other) => Math.min(one, other))
