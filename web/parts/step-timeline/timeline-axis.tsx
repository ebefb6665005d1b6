import { useRef, useState } from 'preact/hooks'
import { durationText } from '../../model/durations.ts'
import { withoutGaps, type Gap } from '../../model/idle-time.ts'
import { barOf, ticksOf, tickText, type Span } from '../../model/timeline-scale.ts'

interface Props {
  readonly whole: Span
  readonly view: Span
  /** Pauses that are cut: where there are some, they are marked instead of round times. */
  readonly gaps: readonly Gap[]
  readonly onBrush: (span: Span) => void
}

/** Pixels that a press may move before it marks a range. */
const slop = 4

/** Time since the first start. Dragging zooms into a range, as do keys and buttons. */
export function TimelineAxis({ whole, view, gaps, onBrush }: Props) {
  const lane = useRef<HTMLDivElement>(null)
  const pressed = useRef<number>(undefined)
  const [brush, setBrush] = useState<Span>()
  const timeAt = (event: PointerEvent): number => {
    const { left, width } = lane.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    const part = Math.min(1, Math.max(0, (event.clientX - left) / width))
    return view.startMs + part * (view.endMs - view.startMs)
  }
  const onMove = (event: PointerEvent): void => {
    if (pressed.current === undefined || Math.abs(event.clientX - pressed.current) < slop) return
    const width = lane.current?.clientWidth ?? 1
    const moved = ((event.clientX - pressed.current) / width) * (view.endMs - view.startMs)
    const [one, other] = [timeAt(event) - moved, timeAt(event)]
    setBrush({ startMs: Math.min(one, other), endMs: Math.max(one, other) })
  }
  const onUp = (): void => {
    pressed.current = undefined
    if (brush !== undefined) onBrush(brush)
    setBrush(undefined)
  }
  const marked = brush === undefined ? undefined : barOf(view, brush)
  const range = view.endMs - view.startMs
  return (
    <div class="step-timeline-row step-timeline-axis" aria-hidden="true">
      <div class="step-timeline-name" />
      <div
        ref={lane}
        class="step-timeline-lane step-timeline-ruler"
        onPointerDown={(event) => {
          pressed.current = event.clientX
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={onUp}
      >
        {marksOf(whole, view, gaps).map(({ atMs, text }) => {
          const left = ((atMs - view.startMs) / range) * 100
          return left < 0 || left > 94 ? null : (
            <span key={atMs} class="step-timeline-tick" style={{ insetInlineStart: `${left}%` }}>
              {text}
            </span>
          )
        })}
        {marked !== undefined && (
          <span
            class="step-timeline-brush"
            style={{ insetInlineStart: `${marked.left}%`, inlineSize: `${marked.width}%` }}
          />
        )}
      </div>
      <div class="step-timeline-took" />
    </div>
  )
}

interface Mark {
  readonly atMs: number
  readonly text: string
}

function marksOf(whole: Span, view: Span, gaps: readonly Gap[]): Mark[] {
  if (gaps.length > 0) {
    return gaps.map(({ startMs, endMs }) => ({
      atMs: withoutGaps(gaps, startMs),
      text: `${durationText(endMs - startMs)} idle`,
    }))
  }
  return ticksOf(whole, view).map((ms) => ({ atMs: whole.startMs + ms, text: tickText(ms) }))
}
