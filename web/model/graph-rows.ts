import type { Layers } from './graph-layers.ts'

const passes = 10

/**
 * The vertical centre of each vertex: near the centre of its neighbours, and never closer to the one above than
 * their heights require.
 * @param heightOf a vertex with the space around it
 */
export function rowsOf(
  { before, after }: Layers,
  order: readonly (readonly number[])[],
  heightOf: (vertex: number) => number,
): Float64Array {
  const y = new Float64Array(before.length)
  for (const layer of order) {
    let top = 0
    for (const vertex of layer) {
      y[vertex] = top + heightOf(vertex) / 2
      top += heightOf(vertex)
    }
  }
  for (let pass = 0; pass < passes; pass++) {
    const isDown = pass % 2 === 0
    const side = isDown ? before : after
    for (let index = 0; index < order.length; index++) {
      const layer = order[isDown ? index : order.length - 1 - index] ?? []
      pack(layer, (vertex) => median(side[vertex] ?? [], y) ?? y[vertex] ?? 0, heightOf, y)
    }
  }
  return y
}

/** As near to the wanted positions as their order and heights allow: the mean of packing from above and from below. */
function pack(
  layer: readonly number[],
  wanted: (vertex: number) => number,
  heightOf: (vertex: number) => number,
  y: Float64Array,
): void {
  const goals = layer.map(wanted)
  const down: number[] = []
  const up: number[] = []
  const apart = (index: number): number => (heightOf(layer[index] ?? 0) + heightOf(layer[index + 1] ?? 0)) / 2
  goals.forEach((goal, index) => {
    down.push(index === 0 ? goal : Math.max(goal, (down[index - 1] ?? 0) + apart(index - 1)))
  })
  for (let index = layer.length - 1; index >= 0; index--) {
    const goal = goals[index] ?? 0
    up[index] = index === layer.length - 1 ? goal : Math.min(goal, (up[index + 1] ?? 0) - apart(index))
  }
  layer.forEach((vertex, index) => {
    y[vertex] = ((down[index] ?? 0) + (up[index] ?? 0)) / 2
  })
}

function median(vertices: readonly number[], y: Float64Array): number | undefined {
  if (vertices.length === 0) return undefined
  const sorted = vertices.map((vertex) => y[vertex] ?? 0).toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[middle]]
  return (low + high) / 2
}
