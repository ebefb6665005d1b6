import { useRef, useState } from 'preact/hooks'
import type { GraphStep } from '../../model/graph-items.ts'
import { Loading } from '../load-state/load-state.tsx'
import { PlacedSteps, type HeldStep } from './placed-steps.tsx'
import { useLayout } from './use-layout.ts'

/** Steps as a graph: what depends on what. Tables tell the same. */
export function StepGraph({ steps }: { readonly steps: readonly GraphStep[] }) {
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
          onOpen={(key) => setOpen(new Set([...open, key]))}
          onFold={() => setOpen(new Set())}
        />
      )}
    </section>
  )
}
