import type { RefObject } from 'preact'
import type { State } from '../../model/states.ts'

const states: readonly State[] = [
  'success',
  'failed',
  'running',
  'partial_success',
  'cancelled',
  'queued',
  'not_started',
  'skipped',
]

/** Invisible elements from which the canvas takes its colours. */
export function GraphSamples({ element }: { readonly element: RefObject<HTMLDivElement | null> }) {
  return (
    <div ref={element} class="step-graph-samples" hidden>
      {states.map((state) => (
        <span key={state} data-state={state} class={`step-graph-sample state-mark state-mark-${state}`} />
      ))}
    </div>
  )
}
