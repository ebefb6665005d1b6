import { useRef, useState } from 'preact/hooks'
import type { GraphStep } from '../../model/graph-items.ts'
import { Loading } from '../load-state/load-state.tsx'
import { PlacedSteps, type HeldStep } from './placed-steps.tsx'
import { useLayout } from './use-layout.ts'

export interface GraphProps {
  readonly steps: readonly GraphStep[]
  /** The step that is selected elsewhere, which is kept in view. */
  readonly current?: string | undefined
  /** The action of a press on a step without a link. */
  readonly onStep?: (name: string) => void
}

/** Steps as a graph: what depends on what. A table has the same information. */
export function StepGraph({ steps, current, onStep }: GraphProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const placed = useLayout(steps, open)
  const heldStep = useRef<HeldStep>(undefined)
  return (
    <section class="step-graph" aria-label="Graph">
      {placed === undefined ? (
        <Loading rows={4} />
      ) : (
        <PlacedSteps
          placed={placed}
          steps={steps}
          hasOpen={open.size > 0}
          held={heldStep}
          current={current}
          onStep={onStep}
          onOpen={(key) => setOpen(new Set([...open, key]))}
          onFold={() => setOpen(new Set())}
        />
      )}
    </section>
  )
}
