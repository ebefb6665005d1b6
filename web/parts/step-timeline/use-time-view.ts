import { useState } from 'preact/hooks'
import { movedSpan, zoomedSpan, type Span } from '../../model/timeline-scale.ts'

export interface TimeView {
  readonly span: Span
  readonly isWhole: boolean
  readonly show: (span: Span | undefined) => void
  /** @param at the time that stays in place; default: the middle */
  readonly zoom: (factor: number, at?: number) => void
  /** @param part fraction of the visible range */
  readonly move: (part: number) => void
}

/** The visible range of a run. The full range grows while the run is active. */
export function useTimeView(whole: Span): TimeView {
  const [shown, show] = useState<Span>()
  const span = shown ?? whole
  return {
    span,
    isWhole: shown === undefined,
    show,
    zoom: (factor, at = (span.startMs + span.endMs) / 2) => {
      const next = zoomedSpan(whole, span, factor, at)
      show(next.endMs - next.startMs >= whole.endMs - whole.startMs ? undefined : next)
    },
    move: (part) => {
      if (shown !== undefined) show(movedSpan(whole, span, part))
    },
  }
}
