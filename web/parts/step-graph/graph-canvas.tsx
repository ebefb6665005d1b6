import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { GraphItem } from '../../model/graph-items.ts'
import { readColours, watchColours } from './graph-colours.ts'
import { paintGraph } from './paint-graph.ts'
import type { GraphLens } from './use-graph-view.ts'
import type { PlacedGraph } from './use-layout.ts'

interface Props {
  readonly placed: PlacedGraph
  readonly items: readonly GraphItem[]
  readonly lens: GraphLens
  readonly samples: RefObject<HTMLDivElement | null>
}

/** The canvas of a graph: its edges, and its boxes when zoomed out. */
export function GraphCanvas({ placed, items, lens: { view, size, isNear }, samples }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [colourChanges, setColourChanges] = useState(0)
  useEffect(() => watchColours(() => setColourChanges((before) => before + 1)), [])
  useLayoutEffect(() => {
    if (canvas.current === null || samples.current === null || size.width === 0) return
    const colours = readColours(samples.current)
    paintGraph(canvas.current, { placed, items, view, area: size, colours, hasBoxes: !isNear })
  }, [placed, items, view, size, isNear, colourChanges])
  return <canvas ref={canvas} class="step-graph-canvas" aria-hidden="true" />
}
