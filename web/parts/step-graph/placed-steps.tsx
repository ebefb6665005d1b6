import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { graphItems, itemToLookAt, type GraphItem, type GraphStep } from '../../model/graph-items.ts'
import { boxAt, boxBeside, cornerOf, middleOf, revealed, zoomed, type Point } from '../../model/graph-view.ts'
import { GraphCanvas } from './graph-canvas.tsx'
import { useGestures } from './graph-gestures.ts'
import { GraphMap } from './graph-map.tsx'
import { GraphNodes } from './graph-nodes.tsx'
import { GraphSamples } from './graph-samples.tsx'
import { GraphTools } from './graph-tools.tsx'
import { useGraphView, type GraphLens } from './use-graph-view.ts'
import type { PlacedGraph } from './use-layout.ts'

/** With more boxes than this, a map is shown in the corner. */
const mapMin = 150

/** A step that stays in place while the graph around it changes. */
export interface HeldStep {
  readonly step: number
  readonly x: number
  readonly y: number
}

interface Props {
  readonly placed: PlacedGraph
  readonly steps: readonly GraphStep[]
  readonly hasOpen: boolean
  readonly held: RefObject<HeldStep | undefined>
  readonly onOpen: (key: string) => void
  readonly onFold: () => void
  readonly current: string | undefined
  readonly onStep: ((name: string) => void) | undefined
}

/** A graph with its layout: boxes in view are elements, the rest is drawn. */
export function PlacedSteps({ placed, steps, hasOpen, held, onOpen, onFold, current, onStep }: Props) {
  const { graph, layout } = placed
  const area = useRef<HTMLDivElement>(null)
  const samples = useRef<HTMLDivElement>(null)
  const items = useMemo(() => graphItems(graph, steps), [graph, steps])
  const [stop, setStop] = useStop(items)
  const lens = useGraphView(area, layout, stop)
  const { view, size, change } = lens
  const focusNext = useFocus(area)

  useHeldStep(held, placed, lens, (key) => {
    setStop(key)
    focusNext()
  })
  const here = boxOfStep(graph, steps, current)
  useShownBox(here, placed, lens, () => setStop(items[here]?.key ?? ''))
  const goTo = (box: number | undefined): void => {
    if (box === undefined) return
    setStop(items[box]?.key ?? '')
    focusNext()
    change((now) => revealed(now, layout, box, size))
  }
  const unfold = (box: number, key: string): void => {
    const { x, y } = cornerOf(layout, box)
    const step = graph.boxes[box]?.members[0] ?? 0
    held.current = { step, x: x * view.scale + view.x, y: y * view.scale + view.y }
    // Fixes the view, which would otherwise follow the graph when it changes.
    change((now) => now)
    onOpen(key)
  }
  useGestures(area, {
    change,
    onPress: (point) => goTo(boxAt(layout, view, point)),
    onKey: (key) => {
      if (key.startsWith('Arrow')) goTo(boxBeside(layout, graph.edges, stop, key))
      return key.startsWith('Arrow') || actOnKey(lens, key, middleOf(layout, stop))
    },
  })
  return (
    <>
      <GraphTools lens={lens} hasOpen={hasOpen} onFold={onFold} />
      <GraphSamples element={samples} />
      <div
        ref={area}
        class="step-graph-area"
        role="group"
        aria-label="Steps and what they depend on; arrow keys follow the edges"
        style={{ '--graph-height': `${Math.round(layout.height + 48)}px` }}
      >
        <GraphCanvas placed={placed} items={items} lens={lens} samples={samples} />
        <GraphNodes {...{ layout, items, lens, stop, here, onStep }} onFocus={setStop} onUnfold={unfold} />
        {items.length >= mapMin && <GraphMap layout={layout} items={items} lens={lens} samples={samples} />}
      </div>
    </>
  )
}

/** Keeps a box in view. */
function useShownBox(box: number, { layout }: PlacedGraph, lens: GraphLens, onShown: () => void): void {
  const { size, change } = lens
  useEffect(() => {
    if (box < 0 || size.width === 0) return
    onShown()
    change((now) => revealed(now, layout, box, size))
  }, [box, layout, size])
}

/** The box that a step is in; -1: none. */
function boxOfStep({ boxes }: PlacedGraph['graph'], steps: Props['steps'], name: string | undefined): number {
  const step = name === undefined ? -1 : steps.findIndex((one) => one.name === name)
  return step < 0 ? -1 : boxes.findIndex(({ members }) => members.includes(step))
}

/**
 * @param box centre of the focused box, which stays where it is
 * @returns whether the key is one of the graph
 */
function actOnKey({ change, fit }: GraphLens, key: string, box: Point): boolean {
  const zoom = (factor: number): void =>
    change((now) => zoomed(now, factor, { x: box.x * now.scale + now.x, y: box.y * now.scale + now.y }))
  if (key === '+' || key === '=') zoom(1.25)
  else if (key === '-') zoom(0.8)
  else if (key === '0' || key === 'f') fit()
  else return false
  return true
}

/** A stack opens where it stands: its first step takes its place, and the focus. */
function useHeldStep(
  held: Props['held'],
  { graph, layout }: PlacedGraph,
  { change }: GraphLens,
  onKept: (key: string) => void,
): void {
  useLayoutEffect(() => {
    const from = held.current
    held.current = undefined
    const box = graph.boxes.findIndex(({ members }) => members.includes(from?.step ?? -1))
    if (from === undefined || box < 0) return
    const { x, y } = cornerOf(layout, box)
    change((now) => ({ ...now, x: from.x - x * now.scale, y: from.y - y * now.scale }))
    onKept(graph.boxes[box]?.key ?? '')
  }, [graph])
}

/** The index of the box that is the Tab stop: initially the most relevant one. */
function useStop(items: readonly GraphItem[]): [stop: number, setStop: (key: string) => void] {
  const [stopKey, setStop] = useState('')
  const known = items.findIndex(({ key }) => key === stopKey)
  return [known < 0 ? itemToLookAt(items) : known, setStop]
}

/** @returns a function that focuses the box that is the Tab stop, once it is rendered */
function useFocus(area: RefObject<HTMLElement | null>): () => void {
  const isWanted = useRef(false)
  // Synchronously, because an event between the change and the focus would start from the wrong box.
  useLayoutEffect(() => {
    if (!isWanted.current) return
    isWanted.current = false
    area.current?.querySelector<HTMLElement>('[data-box][tabindex="0"]')?.focus({ preventScroll: true })
  })
  return () => {
    isWanted.current = true
  }
}
