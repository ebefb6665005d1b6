import { layersOf, type Edge } from './graph-layers.ts'
import { orderLayers } from './graph-order.ts'
import { rowsOf } from './graph-rows.ts'

/** Pixels of a box at full size, and between boxes. */
export const boxWidth = 176
export const boxHeight = 40
const columnGap = 56
const rowGap = 14
/** Between edges that run side by side. */
const bendHeight = 12
const partGap = 28

export interface GraphLayout {
  /** Left upper corner of each box: x and y in turn, pixels at full size. */
  readonly corners: Float32Array
  /** Points of each edge, x and y in turn. */
  readonly paths: readonly Float32Array[]
  readonly width: number
  readonly height: number
}

/** A request to the worker. */
export interface LayoutOrder {
  readonly id: number
  readonly count: number
  readonly edges: readonly Edge[]
}

/** Its response: the layout for the request with this id. */
export type LayoutAnswer = GraphLayout & { readonly id: number }

/**
 * Places boxes in columns from left to right, each after its dependencies. Unconnected parts are placed one
 * below the other, boxes without any edge last.
 */
export function layOut(count: number, edges: readonly Edge[]): GraphLayout {
  const corners = new Float32Array(count * 2)
  const paths: Float32Array[] = Array.from({ length: edges.length }, () => new Float32Array())
  const { parts, lone } = connectedParts(count, edges)
  let [width, top] = [0, 0]
  for (const part of parts) {
    const size = placePart(part, edges, top, { corners, paths })
    width = Math.max(width, size.width)
    top += size.height + partGap
  }
  const columns = Math.max(1, Math.round(Math.sqrt(lone.length / 3)))
  const [columnWidth, rowHeight] = [boxWidth + columnGap / 2, boxHeight + rowGap]
  lone.forEach((box, index) => {
    corners[box * 2] = (index % columns) * columnWidth
    corners[box * 2 + 1] = top + Math.floor(index / columns) * rowHeight
  })
  if (lone.length > 0) {
    width = Math.max(width, Math.min(columns, lone.length) * columnWidth)
    top += Math.ceil(lone.length / columns) * rowHeight + partGap
  }
  return { corners, paths, width, height: Math.max(0, top - partGap) }
}

interface Part {
  readonly boxes: readonly number[]
  /** Indices of its edges. */
  readonly edges: readonly number[]
}

type Places = Pick<GraphLayout, 'corners' | 'paths'>

function placePart(
  part: Part,
  edges: readonly Edge[],
  top: number,
  { corners, paths }: { corners: Float32Array; paths: Float32Array[] } & Places,
): { width: number; height: number } {
  const own = new Map(part.boxes.map((box, index) => [box, index]))
  const inner = part.edges.map((index): Edge => {
    const [from = 0, to = 0] = edges[index] ?? []
    return [own.get(from) ?? 0, own.get(to) ?? 0]
  })
  const layers = layersOf(part.boxes.length, inner)
  const heightOf = (vertex: number): number => (vertex < part.boxes.length ? boxHeight + rowGap : bendHeight)
  const y = rowsOf(layers, orderLayers(layers), heightOf)
  let [least, most] = [Infinity, 0]
  y.forEach((middle, vertex) => {
    least = Math.min(least, middle - heightOf(vertex) / 2)
    most = Math.max(most, middle + heightOf(vertex) / 2)
  })
  const left = (vertex: number): number => (layers.layerOf[vertex] ?? 0) * (boxWidth + columnGap)
  const middleOf = (vertex: number): number => (y[vertex] ?? 0) - least + top
  part.boxes.forEach((box, index) => {
    corners[box * 2] = left(index)
    corners[box * 2 + 1] = middleOf(index) - boxHeight / 2
  })
  layers.paths.forEach((path, index) => {
    const points = path.flatMap((vertex, at) => {
      const x = left(vertex) + (at === 0 ? boxWidth : 0)
      const isBend = at > 0 && at < path.length - 1
      return isBend ? [x, middleOf(vertex), x + boxWidth, middleOf(vertex)] : [x, middleOf(vertex)]
    })
    paths[part.edges[index] ?? 0] = Float32Array.from(points)
  })
  return {
    width: layers.layers.length * (boxWidth + columnGap) - columnGap,
    height: most - least,
  }
}

/** The boxes that edges connect, in the order of their first box; and boxes without edges. */
function connectedParts(count: number, edges: readonly Edge[]): { parts: Part[]; lone: number[] } {
  const heads = Int32Array.from({ length: count }, (_, box) => box)
  const headOf = (box: number): number => {
    let head = box
    while ((heads[head] ?? head) !== head) head = heads[head] ?? head
    heads[box] = head
    return head
  }
  const linked = new Uint8Array(count)
  for (const [from, to] of edges) {
    linked[from] = linked[to] = 1
    const [one, other] = [headOf(from), headOf(to)]
    heads[Math.max(one, other)] = Math.min(one, other)
  }
  const parts = new Map<number, { boxes: number[]; edges: number[] }>()
  const lone: number[] = []
  for (let box = 0; box < count; box++) {
    if (linked[box] !== 1) lone.push(box)
    else {
      const part = parts.get(headOf(box)) ?? { boxes: [], edges: [] }
      parts.set(headOf(box), part)
      part.boxes.push(box)
    }
  }
  edges.forEach(([from], index) => parts.get(headOf(from))?.edges.push(index))
  return { parts: [...parts.values()], lone }
}
