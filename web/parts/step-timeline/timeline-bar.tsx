import type { State } from '../../model/states.ts'
import { barOf, type Span } from '../../model/timeline-scale.ts'

interface Props {
  readonly view: Span
  readonly span: Span | undefined
  readonly state: State
  /** From when it could have begun until it did. */
  readonly wait: Span | undefined
  readonly isOnPath: boolean
}

/** When a step waited, and when it ran. What decided the end of the run is underlined. */
export function TimelineBar({ view, span, state, wait, isOnPath }: Props) {
  const waited = wait === undefined ? undefined : barOf(view, wait)
  const ran = span === undefined ? undefined : barOf(view, span)
  return (
    <span aria-hidden="true">
      {waited !== undefined && (
        <span
          class="step-timeline-wait"
          style={{ insetInlineStart: `${waited.left}%`, inlineSize: `${waited.width}%` }}
        />
      )}
      {ran !== undefined && (
        <span
          class={`step-timeline-bar state-mark-${state}${isOnPath ? ' step-timeline-on-path' : ''}`}
          style={{ insetInlineStart: `${ran.left}%`, inlineSize: `${ran.width}%` }}
        />
      )}
    </span>
  )
}
