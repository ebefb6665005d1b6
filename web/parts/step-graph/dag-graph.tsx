import { useMemo } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import type { GraphStep } from '../../model/graph-items.ts'
import { LazyGraph } from './lazy-graph.tsx'

interface Props {
  /** As the service shows a DAG; `call` names the DAG that a step calls. */
  readonly steps: readonly {
    readonly name: string
    readonly depends: readonly string[]
    readonly call?: string
  }[]
}

/** The steps of a DAG: one that calls another DAG leads to it. */
export function DagGraph({ steps }: Props) {
  const { links } = useData()
  const graph = useMemo(
    () =>
      steps.map(({ name, depends, call }): GraphStep => ({
        name,
        dependsOn: depends,
        state: undefined,
        note: call === undefined ? '' : `calls ${call}`,
        // A name that contains a variable is known only when the step runs.
        href: call === undefined || call.includes('$') ? undefined : links.dag(call),
        isOnPath: false,
        isHeld: false,
      })),
    [steps],
  )
  return <LazyGraph steps={graph} />
}
