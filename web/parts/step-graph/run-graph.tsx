import { useMemo } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import { criticalPath, heldByFailure } from '../../model/critical-path.ts'
import { durationText } from '../../model/durations.ts'
import type { GraphStep } from '../../model/graph-items.ts'
import type { StepRow } from '../../model/step-rows.ts'
import type { RunAddress } from '../../model/links.ts'
import { LazyGraph } from './lazy-graph.tsx'

interface Props {
  readonly run: RunAddress
  readonly steps: readonly StepRow[]
}

/** The steps of a run: a step leads to its log, one with child runs to these. */
export function RunGraph({ run, steps }: Props) {
  const { links } = useData()
  const graph = useMemo(() => {
    const path = criticalPath(steps)
    const held = heldByFailure(steps)
    return steps.map((row): GraphStep => {
      const { name, dependsOn, state, children, hasLog, tookMs } = row
      const hrefOf = (): string | undefined => {
        if (children.length > 0) return links.runAt(run, { view: 'graph', step: name })
        return hasLog ? links.log(run, { step: name }) : undefined
      }
      const count = children.length === 1 ? '1 child run' : `${children.length} child runs`
      const took = tookMs === undefined ? '' : durationText(tookMs)
      const note = [took, children.length > 0 ? count : ''].filter((text) => text !== '').join(' · ')
      return {
        name,
        dependsOn,
        state,
        note,
        href: hrefOf(),
        isOnPath: path.has(name),
        isHeld: held.has(name),
      }
    })
  }, [steps])
  return <LazyGraph steps={graph} />
}
