import { useEffect, useRef } from 'preact/hooks'
import { zoomed, type GraphView, type Point } from '../../model/graph-view.ts'

/** Pixels that a press may move before it is a drag. */
const slop = 4

interface Gestures {
  readonly change: (change: (view: GraphView) => GraphView) => void
  /** A press on the canvas, with its position. */
  readonly onPress: (at: Point) => void
  /** @returns whether the key did something */
  readonly onKey: (key: string) => boolean
}

/** Dragging moves the graph, two fingers or the wheel with Ctrl change its size. The wheel alone scrolls the page. */
export function useGestures(area: { readonly current: HTMLElement | null }, gestures: Gestures): void {
  const now = useRef(gestures)
  now.current = gestures
  useEffect(() => {
    const element = area.current
    if (element === null) return undefined
    const ends = [listenToKeys(element, now), listenToPointers(element, now), listenToWheel(element, now)]
    return () => ends.forEach((end) => end())
  }, [])
}

interface Latest {
  readonly current: Gestures
}

const pointIn = (area: HTMLElement, { clientX, clientY }: MouseEvent): Point => {
  const { left, top } = area.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

function listenToKeys(area: HTMLElement, now: Latest): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (now.current.onKey(event.key)) event.preventDefault()
  }
  area.addEventListener('keydown', onKeyDown)
  return () => area.removeEventListener('keydown', onKeyDown)
}

function listenToWheel(area: HTMLElement, now: Latest): () => void {
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002))
    now.current.change((view) => zoomed(view, factor, pointIn(area, event)))
  }
  area.addEventListener('wheel', onWheel, { passive: false })
  return () => area.removeEventListener('wheel', onWheel)
}

function listenToPointers(element: HTMLElement, latest: Latest): () => void {
  const fingers = new Map<number, Point>()
  let moved = 0
  const change: Gestures['change'] = (next) => latest.current.change(next)
  const at = (event: MouseEvent): Point => pointIn(element, event)
  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    if (fingers.size === 0) moved = 0
    fingers.set(event.pointerId, at(event))
  }
  const onMove = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId)
    if (before === undefined) return
    const now = at(event)
    const [x, y] = [now.x - before.x, now.y - before.y]
    moved += Math.hypot(x, y)
    if (moved < slop) return
    // From here on the press is not a click, also not on the box below it.
    if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId)
    const [other] = [...fingers].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]))
    fingers.set(event.pointerId, now)
    if (other === undefined) change((view) => ({ ...view, x: view.x + x, y: view.y + y }))
    else change((view) => zoomed(view, distance(now, other) / Math.max(1, distance(before, other)), other))
  }
  const onUp = (event: PointerEvent): void => {
    const isPress = fingers.delete(event.pointerId) && moved < slop && event.type === 'pointerup'
    if (isPress && event.target instanceof HTMLCanvasElement) latest.current.onPress(at(event))
  }
  element.addEventListener('pointerdown', onDown)
  element.addEventListener('pointermove', onMove)
  element.addEventListener('pointerup', onUp)
  element.addEventListener('pointercancel', onUp)
  return () => {
    element.removeEventListener('pointerdown', onDown)
    element.removeEventListener('pointermove', onMove)
    element.removeEventListener('pointerup', onUp)
    element.removeEventListener('pointercancel', onUp)
  }
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)
