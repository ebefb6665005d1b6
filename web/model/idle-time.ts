import type { Span } from './timeline-scale.ts'

/** An idle time of which only a part is drawn. */
export interface Gap extends Span {
  /** Milliseconds of it that are left on the drawing. */
  readonly keptMs: number
}

/** Shorter pauses are drawn as they are, milliseconds. */
const pauseMs = 60_000
/** As a fraction of the busy time: longer pauses are cut to this length. */
const [longPart, keptPart] = [0.1, 0.03]

/** The long pauses between spans, in order: a retry that waits for hours would compress everything else. */
export function idleGaps(spans: readonly Span[]): Gap[] {
  const pauses: Span[] = []
  let endMs = Infinity
  let busyMs = 0
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    if (span.startMs > endMs) pauses.push({ startMs: endMs, endMs: span.startMs })
    const from = endMs === Infinity ? span.startMs : Math.max(span.startMs, endMs)
    busyMs += Math.max(0, span.endMs - from)
    endMs = endMs === Infinity ? span.endMs : Math.max(endMs, span.endMs)
  }
  const longMs = Math.max(pauseMs, busyMs * longPart)
  const keptMs = Math.max(1, busyMs * keptPart)
  return pauses.filter((pause) => pause.endMs - pause.startMs > longMs).map((pause) => ({ ...pause, keptMs }))
}

/** Where an instant is drawn when the gaps before it are cut, milliseconds. */
export function withoutGaps(gaps: readonly Gap[], atMs: number): number {
  return gaps.reduce((drawnMs, { startMs, endMs, keptMs }) => {
    const part = Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs)))
    return drawnMs - part * (endMs - startMs - keptMs)
  }, atMs)
}

/** A span as it is drawn. */
export const spanWithoutGaps = (gaps: readonly Gap[], { startMs, endMs }: Span): Span => ({
  startMs: withoutGaps(gaps, startMs),
  endMs: withoutGaps(gaps, endMs),
})
