import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import { foldSteps, type FoldedGraph, type Linked } from '../../model/fold-steps.ts'
import type { GraphLayout, LayoutAnswer, LayoutOrder } from '../../model/layered-layout.ts'

export interface PlacedGraph {
  readonly graph: FoldedGraph
  readonly layout: GraphLayout
}

/** Lays the graph out in a worker, and again only when steps or edges change. Undefined until then. */
export function useLayout(steps: readonly Linked[], open: ReadonlySet<string>): PlacedGraph | undefined {
  const { workerUrl } = useData()
  const worker = useMemo(() => new Worker(workerUrl('layout'), { type: 'module' }), [])
  useEffect(() => () => worker.terminate(), [worker])
  const shape = useShape(steps)
  const graph = useMemo(() => foldSteps(shape, open), [shape, open])
  const [placed, setPlaced] = useState<PlacedGraph>()
  const asked = useRef(0)
  useEffect(() => {
    const id = ++asked.current
    const onAnswer = ({ data }: MessageEvent<LayoutAnswer>): void => {
      if (data.id === id) setPlaced({ graph, layout: data })
    }
    worker.addEventListener('message', onAnswer)
    const order: LayoutOrder = { id, count: graph.boxes.length, edges: graph.edges }
    worker.postMessage(order, [])
    return () => worker.removeEventListener('message', onAnswer)
  }, [graph])
  return placed
}

/** The same list as before while names and dependencies are the same. */
function useShape(steps: readonly Linked[]): readonly Linked[] {
  const before = useRef(steps)
  const isSame =
    steps.length === before.current.length &&
    steps.every(({ name, dependsOn }, index) => {
      const old = before.current[index]
      return old?.name === name && (old.dependsOn === dependsOn || isEqual(old.dependsOn, dependsOn))
    })
  if (!isSame) before.current = steps
  return before.current
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index])
