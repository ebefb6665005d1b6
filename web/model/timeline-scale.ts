export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** Position of a bar, in percent of the width. */
export interface Bar {
  readonly left: number
  readonly width: number
}

/** From the first start to the last end, never empty, to avoid a division by zero. */
export function wholeSpan(spans: readonly Span[]): Span {
  if (spans.length === 0) return { startMs: 0, endMs: 1 }
  let { startMs, endMs } = { startMs: Infinity, endMs: -Infinity }
  for (const span of spans) {
    startMs = Math.min(startMs, span.startMs)
    endMs = Math.max(endMs, span.endMs)
  }
  return { startMs, endMs: Math.max(endMs, startMs + 1) }
}

/** The visible part of a bar; undefined if it is out of view. A visible bar has a minimum width. */
export function barOf(view: Span, span: Span): Bar | undefined {
  if (span.endMs < view.startMs || span.startMs > view.endMs) return undefined
  const range = view.endMs - view.startMs
  const percent = (ms: number): number => Math.min(100, Math.max(0, ((ms - view.startMs) / range) * 100))
  const left = percent(span.startMs)
  const width = Math.max(0.4, percent(span.endMs) - left)
  return { left: Math.min(left, 100 - width), width }
}

/** The smallest range that can be shown. */
const rangeMin = 10

/**
 * Zooms into the whole range, or into the visible part.
 * @param factor above 1: zooms in
 * @param at the time that stays in place
 */
export function zoomedSpan(whole: Span, view: Span, factor: number, at: number): Span {
  const part = (at - view.startMs) / (view.endMs - view.startMs)
  const range = Math.max(rangeMin, (view.endMs - view.startMs) / factor)
  return within(whole, { startMs: at - part * range, endMs: at + (1 - part) * range })
}

/** Moved by a fraction of the visible part, and not beyond the ends. */
export function movedSpan(whole: Span, view: Span, part: number): Span {
  const by = (view.endMs - view.startMs) * part
  return within(whole, { startMs: view.startMs + by, endMs: view.endMs + by })
}

function within(whole: Span, { startMs, endMs }: Span): Span {
  const range = Math.min(endMs - startMs, whole.endMs - whole.startMs)
  const start = Math.min(Math.max(startMs, whole.startMs), whole.endMs - range)
  return { startMs: start, endMs: start + range }
}

const nice = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800,
  3_600, 7_200, 21_600, 43_200, 86_400,
]

/** Marks of the axis, milliseconds after the start of the whole: at most seven in view, at round numbers. */
export function ticksOf({ startMs }: Span, view: Span): number[] {
  const range = view.endMs - view.startMs
  const step = 1_000 * (nice.find((seconds) => range / (seconds * 1_000) <= 6) ?? 604_800)
  const first = Math.ceil((view.startMs - startMs) / step)
  const last = Math.floor((view.endMs - startMs) / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step)
}

/** A mark of the axis in its own unit: `5 ms`, `30 s`, `2 min`, `1 h`. */
export function tickText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds === 0) return '0'
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  if (seconds % 60 === 0) return `${seconds / 60} min`
  return seconds < 1 ? `${Math.round(ms)} ms` : `${Math.round(seconds * 1_000) / 1_000} s`
}
