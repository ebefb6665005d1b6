import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../load-state/load-state.tsx'
import type { GraphProps } from './step-graph.tsx'

type Graph = (props: GraphProps) => preact.JSX.Element

/** The graph, whose code is loaded on demand. */
export function LazyGraph(props: GraphProps) {
  const [Graph, setGraph] = useState<Graph>()
  useEffect(() => {
    void import('./step-graph.tsx').then((module) => setGraph(() => module.StepGraph))
  }, [])
  return Graph === undefined ? <Loading rows={4} /> : <Graph {...props} />
}
