import type { GraphItem } from '../../model/graph-items.ts'
import { boxesInView, nearScale, type GraphView, type Size } from '../../model/graph-view.ts'
import { boxHeight, boxWidth } from '../../model/layered-layout.ts'
import type { GraphColours } from './graph-colours.ts'
import type { PlacedGraph } from './use-layout.ts'

export interface GraphPicture {
  readonly placed: PlacedGraph
  readonly items: readonly GraphItem[]
  readonly view: GraphView
  readonly area: Size
  readonly colours: GraphColours
  /** Whether boxes are drawn too; near ones are elements of the page. */
  readonly hasBoxes: boolean
}

/** Draws the edges, and the boxes of a zoomed-out graph. */
export function paintGraph(canvas: HTMLCanvasElement, picture: GraphPicture): void {
  const { area, view } = picture
  const pixels = devicePixelRatio
  const [width, height] = [Math.round(area.width * pixels), Math.round(area.height * pixels)]
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
  const pen = canvas.getContext('2d')
  if (pen === null) return
  pen.setTransform(1, 0, 0, 1, 0, 0)
  pen.clearRect(0, 0, width, height)
  const scale = view.scale * pixels
  pen.setTransform(scale, 0, 0, scale, view.x * pixels, view.y * pixels)
  paintEdges(pen, picture)
  if (picture.hasBoxes) paintBoxes(pen, picture)
}

type Kind = 'plain' | 'path' | 'held'

function paintEdges(
  pen: CanvasRenderingContext2D,
  { placed, items, view, area, colours }: GraphPicture,
): void {
  const { graph, layout } = placed
  const [left, top] = [-view.x / view.scale, -view.y / view.scale]
  const [right, bottom] = [left + area.width / view.scale, top + area.height / view.scale]
  const kinds: Record<Kind, Float32Array[]> = { plain: [], path: [], held: [] }
  layout.paths.forEach((points, edge) => {
    if (!mayBeSeen(points, left, top, right, bottom)) return
    const [from, to] = graph.edges[edge] ?? []
    kinds[kindOf(items[from ?? -1], items[to ?? -1])].push(points)
  })
  const styles = [
    ['plain', colours.quiet, 1, 0.5],
    ['held', colours.strokeOf('failed'), 2.5, 0.75],
    ['path', colours.ink, 2.5, 2],
  ] as const
  const isNear = view.scale >= nearScale
  for (const [kind, style, width, least] of styles) {
    pen.strokeStyle = style
    pen.lineWidth = Math.max(width, least / view.scale)
    // Invisibly small dashes would each cost as much as a line.
    pen.setLineDash(kind === 'held' && isNear ? [6, 4] : [])
    pen.beginPath()
    for (const points of kinds[kind]) trace(pen, points, isNear)
    pen.stroke()
  }
  pen.setLineDash([])
}

function kindOf(from: GraphItem | undefined, to: GraphItem | undefined): Kind {
  if (to?.isHeld === true && (from?.isHeld === true || from?.state === 'failed')) return 'held'
  return from?.isOnPath === true && to?.isOnPath === true ? 'path' : 'plain'
}

/** Edges lead from left to right; their height is that of their ends and bends. */
function mayBeSeen(points: Float32Array, left: number, top: number, right: number, bottom: number): boolean {
  if ((points[0] ?? 0) > right || (points.at(-2) ?? 0) < left) return false
  let [isAbove, isBelow] = [true, true]
  for (let at = 1; at < points.length; at += 2) {
    const y = points[at] ?? 0
    if (y >= top) isAbove = false
    if (y <= bottom) isBelow = false
  }
  return !isAbove && !isBelow
}

function trace(pen: CanvasRenderingContext2D, points: Float32Array, isNear: boolean): void {
  pen.moveTo(points[0] ?? 0, points[1] ?? 0)
  for (let at = 2; at + 1 < points.length; at += 2) {
    const [x = 0, y = 0, beforeX = 0, beforeY = 0] = [
      points[at],
      points[at + 1],
      points[at - 2],
      points[at - 1],
    ]
    const middle = (x + beforeX) / 2
    if (isNear && y !== beforeY) pen.bezierCurveTo(middle, beforeY, middle, y, x, y)
    else pen.lineTo(x, y)
  }
}

/** A failed box is drawn last, and never smaller than can be seen. */
function paintBoxes(
  pen: CanvasRenderingContext2D,
  { placed, items, view, area, colours }: GraphPicture,
): void {
  const { corners } = placed.layout
  const seen = boxesInView(placed.layout, view, area)
  const rank = (box: number): number => Number(items[box]?.state === 'failed')
  const least = 3 / view.scale
  const [width, height] = [Math.max(boxWidth, least), Math.max(boxHeight, least)]
  const hasNames = view.scale >= nearScale
  pen.font = '13px system-ui, sans-serif'
  pen.textBaseline = 'middle'
  for (const box of seen.toSorted((a, b) => rank(a) - rank(b))) {
    const item = items[box]
    if (item === undefined) continue
    const [x, y] = [corners[box * 2] ?? 0, corners[box * 2 + 1] ?? 0]
    const isFailed = item.state === 'failed'
    const isFilled = !hasNames && (!colours.isForced || isFailed)
    pen.fillStyle = isFilled ? colours.fillOf(item.state) : colours.paper
    pen.fillRect(x, y, width, height)
    pen.strokeStyle = colours.strokeOf(item.state)
    pen.lineWidth = Math.max(1, 0.75 / view.scale)
    pen.strokeRect(x, y, width, height)
    if (hasNames) {
      pen.fillStyle = colours.fillOf(item.state)
      pen.fillRect(x, y, 6, height)
      pen.fillStyle = colours.ink
      pen.fillText(shortened(item.name), x + 14, y + height / 2)
    } else if (isFailed && height * view.scale >= 6) {
      pen.strokeStyle = colours.paper
      pen.lineWidth = 1.5 / view.scale
      pen.beginPath()
      pen.moveTo(x + width / 2 - height / 3, y + height / 6)
      pen.lineTo(x + width / 2 + height / 3, y + (height * 5) / 6)
      pen.moveTo(x + width / 2 + height / 3, y + height / 6)
      pen.lineTo(x + width / 2 - height / 3, y + (height * 5) / 6)
      pen.stroke()
    }
  }
}

/** Measuring texts would cost more than it gains. */
const shortened = (name: string): string => (name.length > 22 ? `${name.slice(0, 21)}…` : name)
