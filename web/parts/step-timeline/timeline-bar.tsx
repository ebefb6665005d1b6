import { spanWithoutGaps, type Gap } from '../../model/idle-time.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { barOf, type Bar, type Span } from '../../model/timeline-scale.ts'

interface Props {
  readonly view: Span
  /** Pauses that are cut. */
  readonly gaps: readonly Gap[]
  readonly span: Span | undefined
  readonly step: StepRow
  /** From when it could have started until it did. */
  readonly wait: Span | undefined
  readonly isOnPath: boolean
}

/** When a step waited, its failed tries, and when it ran. The critical path is underlined. */
export function TimelineBar({ view, gaps, span, step: { state, triedBefore }, wait, isOnPath }: Props) {
  const drawn = (one: Span | undefined): Bar | undefined =>
    one === undefined ? undefined : barOf(view, spanWithoutGaps(gaps, one))
  const waited = drawn(wait)
  const ran = drawn(span)
  return (
    <span aria-hidden="true">
      {waited !== undefined && (
        <span
          class="step-timeline-wait"
          style={{ insetInlineStart: `${waited.left}%`, inlineSize: `${waited.width}%` }}
        />
      )}
      {triedBefore.map((tried) => {
        const bar = drawn(tried)
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
