import { useEffect, useState } from 'preact/hooks'
import type { GraphStep } from '../../model/graph-items.ts'
import { Loading } from '../load-state/load-state.tsx'

type Graph = (props: { readonly steps: readonly GraphStep[] }) => preact.JSX.Element

/** The graph, whose code is loaded when somebody looks at one. */
export function LazyGraph({ steps }: { readonly steps: readonly GraphStep[] }) {
  const [Graph, setGraph] = useState<Graph>()
  useEffect(() => {
    void import('./step-graph.tsx').then((module) => setGraph(() => module.StepGraph))
  }, [])
  return Graph === undefined ? <Loading rows={4} /> : <Graph steps={steps} />
}
