export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** Place of a bar, in percent of the width. */
export interface Bar {
  readonly left: number
  readonly width: number
}

/** From the first start to the last end; a moment is given a width, so that nothing is divided by 0. */
export function wholeSpan(spans: readonly Span[]): Span {
  const startMs = Math.min(...spans.map((span) => span.startMs))
  const endMs = Math.max(...spans.map((span) => span.endMs))
  if (spans.length === 0) return { startMs: 0, endMs: 1 }
  return { startMs, endMs: Math.max(endMs, startMs + 1) }
}

/** A bar is never thinner than can be seen. */
export function barOf(whole: Span, span: Span): Bar {
  const range = whole.endMs - whole.startMs
  const left = ((span.startMs - whole.startMs) / range) * 100
  const width = Math.max(0.4, ((span.endMs - span.startMs) / range) * 100)
  return { left: Math.min(left, 100 - Math.min(width, 100)), width: Math.min(width, 100) }
}

const nice = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400,
]

/** Marks of the axis, milliseconds after the start: at most six, at round numbers. */
export function ticksOf({ startMs, endMs }: Span): number[] {
  const range = endMs - startMs
  const step = 1_000 * (nice.find((seconds) => range / (seconds * 1_000) <= 6) ?? 604_800)
  return Array.from({ length: Math.floor(range / step) + 1 }, (_, index) => index * step)
}

/** A mark of the axis in its own unit: `30 s`, `2 min`, `1 h`. */
export function tickText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds === 0) return '0'
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
