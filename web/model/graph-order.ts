import type { Layers } from './graph-layers.ts'

const sweepsMax = 48
/** The number of sweeps without improvement after which sweeping stops. */
const patience = 8
/** The budget of edges for all sweeps: a large graph gets fewer sweeps. */
const workMax = 6_000_000

/** Orders the vertices of each layer, from top to bottom, so that few edges cross. */
export function orderLayers({ layers, before, after }: Layers): number[][] {
  const order = layers.map((layer) => [...layer])
  const position = new Float64Array(before.length)
  const size = before.reduce((sum, list) => sum + list.length, before.length)
  const sweeps = Math.max(3, Math.min(sweepsMax, Math.floor(workMax / Math.max(1, size * 4))))
  const keep = (layer: readonly number[]): void =>
    layer.forEach((vertex, index) => {
      position[vertex] = index
    })
  order.forEach(keep)
  let best = order.map((layer) => [...layer])
  let fewest = crossings(order, after, position)
  for (let sweep = 0, idle = 0; sweep < sweeps && idle < patience && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0
    const sides = sweep % 6 >= 4 ? [before, after] : [isDown ? before : after]
    for (let index = 0; index < order.length; index++) {
      const layer = order[isDown ? index : order.length - 1 - index] ?? []
      sortByCentre(layer, sides, position)
      keep(layer)
    }
    swapNeighbours(order, before, after, position)
    const count = crossings(order, after, position)
    idle = count < fewest ? 0 : idle + 1
    if (count >= fewest) continue
    fewest = count
    best = order.map((layer) => [...layer])
  }
  return best
}

/** Sorts by the mean position of the neighbours; a vertex without neighbours stays where it is. */
function sortByCentre(
  layer: number[],
  sides: readonly (readonly number[][])[],
  position: Float64Array,
): void {
  const centre = new Map(
    layer.map((vertex, index) => {
      let [sum, count] = [0, 0]
      for (const side of sides) {
        for (const other of side[vertex] ?? []) {
          sum += position[other] ?? 0
          count += 1
        }
      }
      return [vertex, count === 0 ? index : sum / count]
    }),
  )
  layer.sort((a, b) => (centre.get(a) ?? 0) - (centre.get(b) ?? 0))
}

/** Swaps adjacent vertices if that saves crossings. Skips large layers, because it is quadratic. */
function swapNeighbours(
  order: readonly number[][],
  before: readonly number[][],
  after: readonly number[][],
  position: Float64Array,
): void {
  for (const layer of order) {
    if (layer.length > 400) continue
    for (let index = 0; index + 1 < layer.length; index++) {
      const [one = 0, other = 0] = [layer[index], layer[index + 1]]
      const gain =
        gainOf(before[one] ?? [], before[other] ?? [], position) +
        gainOf(after[one] ?? [], after[other] ?? [], position)
      if (gain <= 0) continue
      layer[index] = other
      layer[index + 1] = one
      position[other] = index
      position[one] = index + 1
    }
  }
}

/** How many crossings a swap of two adjacent vertices would save. */
function gainOf(upper: readonly number[], lower: readonly number[], position: Float64Array): number {
  if (upper.length * lower.length > 400) return 0
  let gain = 0
  for (const one of upper) {
    for (const other of lower) gain += Math.sign((position[one] ?? 0) - (position[other] ?? 0))
  }
  return gain
}

/** The number of crossings, counted with a Fenwick tree. */
export function crossings(
  order: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
  position: Float64Array,
): number {
  let total = 0
  order.forEach((layer, index) => {
    const size = order[index + 1]?.length ?? 0
    const sums = new Int32Array(size + 1)
    let seen = 0
    for (const vertex of layer) {
      const ends = (after[vertex] ?? []).map((other) => position[other] ?? 0)
      for (const end of ends) {
        total += seen
        for (let at = end + 1; at > 0; at -= at & -at) total -= sums[at] ?? 0
      }
      for (const end of ends) {
        seen += 1
        for (let at = end + 1; at <= size; at += at & -at) sums[at] = (sums[at] ?? 0) + 1
      }
    }
  })
  return total
}
