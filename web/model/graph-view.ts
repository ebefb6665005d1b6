import { boxHeight, boxWidth, type GraphLayout } from './layered-layout.ts'

/** The view of the graph: its offset in pixels, and its scale. */
export interface GraphView {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Below this scale names cannot be read, nor boxes hit with a finger. */
export const nearScale = 0.6
const scaleMin = 0.01
const scaleMax = 2
const margin = 20

/** The whole graph in the middle, at most at full size. */
export function fitted({ width, height }: Size, area: Size): GraphView {
  const fit = Math.min((area.width - 2 * margin) / width, (area.height - 2 * margin) / height, 1)
  const scale = Math.max(scaleMin, Number.isFinite(fit) ? fit : 1)
  return { scale, x: (area.width - width * scale) / 2, y: (area.height - height * scale) / 2 }
}

/** The initial view: the whole graph, or, if that is slightly too small to read, as much as fits around a box. */
export function opening(layout: GraphLayout, area: Size, box: number): GraphView {
  const whole = fitted(layout, area)
  if (whole.scale >= nearScale || whole.scale < nearScale / 3) return whole
  const { x, y } = middleOf(layout, box)
  const at = { x: x * whole.scale + whole.x, y: y * whole.scale + whole.y }
  return revealed(zoomed(whole, nearScale / whole.scale, at), layout, box, area)
}

/** Larger or smaller around a point of the area, which stays where it is. */
export function zoomed(view: GraphView, factor: number, at: Point): GraphView {
  const scale = Math.min(scaleMax, Math.max(scaleMin, view.scale * factor))
  const by = scale / view.scale
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const cornerOf = ({ corners }: GraphLayout, box: number): Point => ({
  x: corners[box * 2] ?? 0,
  y: corners[box * 2 + 1] ?? 0,
})

export function middleOf(layout: GraphLayout, box: number): Point {
  const { x, y } = cornerOf(layout, box)
  return { x: x + boxWidth / 2, y: y + boxHeight / 2 }
}

/** Moved as little as needed to show a whole box. */
export function revealed(view: GraphView, layout: GraphLayout, box: number, area: Size): GraphView {
  const corner = cornerOf(layout, box)
  const x = inward(corner.x * view.scale + view.x, boxWidth * view.scale, area.width)
  const y = inward(corner.y * view.scale + view.y, boxHeight * view.scale, area.height)
  return Math.abs(x) + Math.abs(y) < 0.01 ? view : { ...view, x: view.x + x, y: view.y + y }
}

function inward(at: number, length: number, room: number): number {
  if (at < margin) return margin - at
  return Math.min(0, room - margin - at - length)
}

/** The indices of the boxes that are at least partly in view. */
export function boxesInView({ corners }: GraphLayout, view: GraphView, area: Size): number[] {
  const found: number[] = []
  const [left, top] = [-view.x / view.scale, -view.y / view.scale]
  const [right, bottom] = [left + area.width / view.scale, top + area.height / view.scale]
  for (let box = 0; box * 2 < corners.length; box++) {
    const [x = 0, y = 0] = [corners[box * 2], corners[box * 2 + 1]]
    if (x < right && x + boxWidth > left && y < bottom && y + boxHeight > top) found.push(box)
  }
  return found
}

/** The box at a point of the area; a near one counts when boxes are small. */
export function boxAt({ corners }: GraphLayout, view: GraphView, at: Point): number | undefined {
  const slack = 4 / view.scale
  const [x, y] = [(at.x - view.x) / view.scale, (at.y - view.y) / view.scale]
  for (let box = 0; box * 2 < corners.length; box++) {
    const [left = 0, top = 0] = [corners[box * 2], corners[box * 2 + 1]]
    const isBeside = x < left - slack || x > left + boxWidth + slack
    if (!isBeside && y >= top - slack && y <= top + boxHeight + slack) return box
  }
  return undefined
}

/**
 * Where an arrow key leads: left to what the box needs, right to what needs it, of several the one whose height is
 * nearest; up and down to the next box of the column.
 */
export function boxBeside(
  { corners }: GraphLayout,
  edges: readonly (readonly [number, number])[],
  box: number,
  key: string,
): number | undefined {
  const x = (other: number): number => corners[other * 2] ?? 0
  const y = (other: number): number => corners[other * 2 + 1] ?? 0
  const nearest = (boxes: readonly number[]): number | undefined =>
    boxes.toSorted((a, b) => Math.abs(y(a) - y(box)) - Math.abs(y(b) - y(box)))[0]
  const others = Array.from({ length: corners.length / 2 }, (_, other) => other)
  switch (key) {
    case 'ArrowLeft':
      return nearest(edges.flatMap(([from, to]) => (to === box ? [from] : [])))
    case 'ArrowRight':
      return nearest(edges.flatMap(([from, to]) => (from === box ? [to] : [])))
    case 'ArrowUp':
      return nearest(others.filter((other) => x(other) === x(box) && y(other) < y(box)))
    case 'ArrowDown':
      return nearest(others.filter((other) => x(other) === x(box) && y(other) > y(box)))
    default:
      return undefined
  }
}
