import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  boxesInView,
  fitted,
  nearScale,
  opening,
  zoomed,
  type GraphView,
  type Size,
} from '../../model/graph-view.ts'
import type { GraphLayout } from '../../model/layered-layout.ts'

/** With more boxes than this in view, they are drawn instead of rendered as elements. */
const nodesMax = 120

export interface GraphLens {
  readonly view: GraphView
  readonly size: Size
  /** Boxes that are at least partly in view. */
  readonly seen: readonly number[]
  /** Whether they are large and few enough to be elements. */
  readonly isNear: boolean
  readonly change: (next: (view: GraphView) => GraphView) => void
  /** Larger or smaller around the middle. */
  readonly zoom: (factor: number) => void
  /** The whole, however small. */
  readonly fit: () => void
  /** As it was opened. */
  readonly reset: () => void
}

/**
 * The view of a graph. Until the user moves it, it is the initial one.
 * @param box the most relevant one, for the initial view
 */
export function useGraphView(
  area: { readonly current: HTMLElement | null },
  layout: GraphLayout,
  box: number,
): GraphLens {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const [moved, setMoved] = useState<GraphView>()
  useEffect(() => watchSize(area.current, setSize), [])
  const view = useMemo(() => moved ?? opening(layout, size, box), [moved, layout, size])
  const seen = useMemo(() => boxesInView(layout, view, size), [layout, view, size])
  const latest = useRef(view)
  latest.current = view
  const change: GraphLens['change'] = (next) => setMoved((now) => next(now ?? latest.current))
  const middle = { x: size.width / 2, y: size.height / 2 }
  return {
    view,
    size,
    seen,
    isNear: view.scale >= nearScale && seen.length <= nodesMax,
    change,
    zoom: (factor) => change((now) => zoomed(now, factor, middle)),
    fit: () => setMoved(fitted(layout, size)),
    reset: () => setMoved(undefined),
  }
}

function watchSize(area: HTMLElement | null, onSize: (size: Size) => void): () => void {
  if (area === null) return () => undefined
  const observer = new ResizeObserver(() => onSize({ width: area.clientWidth, height: area.clientHeight }))
  observer.observe(area)
  return () => observer.disconnect()
}
