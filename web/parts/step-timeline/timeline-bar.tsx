import type { StepRow } from '../../model/step-rows.ts'
import { barOf, type Span } from '../../model/timeline-scale.ts'

interface Props {
  readonly view: Span
  readonly span: Span | undefined
  readonly step: StepRow
  /** From when it could have begun until it did. */
  readonly wait: Span | undefined
  readonly isOnPath: boolean
}

/** When a step waited, when it was tried in vain, and when it ran. What decided the end of the run is underlined. */
export function TimelineBar({ view, span, step: { state, triedBefore }, wait, isOnPath }: Props) {
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
      {triedBefore.map((tried) => {
        const bar = barOf(view, tried)
        return bar === undefined ? null : (
          <span
            key={tried.startMs}
            class="step-timeline-bar step-timeline-tried state-mark-failed"
            style={{ insetInlineStart: `${bar.left}%`, inlineSize: `${bar.width}%` }}
          />
        )
      })}
      {ran !== undefined && (
        <span
          class={`step-timeline-bar state-mark-${state}${isOnPath ? ' step-timeline-on-path' : ''}`}
          style={{ insetInlineStart: `${ran.left}%`, inlineSize: `${ran.width}%` }}
        />
      )}
    </span>
  )
}
