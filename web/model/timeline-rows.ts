import { hasEnded } from './states.ts'
import { byStart, type ChildNode, type StepRow } from './step-rows.ts'
import type { Span } from './timeline-scale.ts'

/** A row of the timeline: a step, or one of its child runs below it. */
export interface TimelineRow {
  readonly key: string
  readonly step: StepRow
  readonly child: ChildNode | undefined
  /** Whether its child runs are shown; undefined: it has none. */
  readonly isOpen: boolean | undefined
}

/** With more child runs than this, they are collapsed at first. */
const openMax = 10

/**
 * The steps in the order in which they began, each with its child runs while it is open.
 * @param toggled steps that the user has opened or closed
 */
export function timelineRows(steps: readonly StepRow[], toggled: ReadonlySet<string>): TimelineRow[] {
  return byStart(steps).flatMap((step): TimelineRow[] => {
    const { name, children } = step
    const head = { key: name, step, child: undefined }
    if (children.length === 0) return [{ ...head, isOpen: undefined }]
    const isOpen = children.length <= openMax !== toggled.has(name)
    const inner = children.map((child) => ({
      key: `${name} ${child.dagRunId}`,
      step,
      child,
      isOpen: undefined,
    }))
    return [{ ...head, isOpen }, ...(isOpen ? inner : [])]
  })
}

/** The rows that still need attention or have not finished. */
export const withoutSucceeded = (steps: readonly StepRow[]): StepRow[] =>
  steps.filter(({ state }) => state !== 'success' && state !== 'skipped')

/** From its start to its end, or until now. Undefined: it has not begun. */
export function spanOf(row: StepRow, nowMs: number): Span | undefined {
  if (row.startedAtMs === undefined) return undefined
  const tookMs = row.tookMs ?? (hasEnded(row.state) ? 0 : Math.max(0, nowMs - row.startedAtMs))
  return { startMs: row.startedAtMs, endMs: row.startedAtMs + tookMs }
}

/** The times of every try of every step. */
export function spansOf(steps: readonly StepRow[], nowMs: number): Span[] {
  return steps.flatMap((row) => {
    const last = spanOf(row, nowMs)
    return last === undefined ? row.triedBefore : [...row.triedBefore, last]
  })
}

/** How long each step waited after all that it needs had ended, by name: for its turn, or for a runner. */
export function waits(steps: readonly StepRow[]): ReadonlyMap<string, Span> {
  const ends = new Map(steps.map((row) => [row.name, (row.startedAtMs ?? NaN) + (row.tookMs ?? NaN)]))
  return new Map(
    steps.flatMap((row): [string, Span][] => {
      const ready = row.dependsOn.reduce((latest, name) => Math.max(latest, ends.get(name) ?? NaN), 0)
      const endMs = row.triedBefore[0]?.startMs ?? row.startedAtMs
      if (endMs === undefined || !(ready > 0 && endMs > ready)) return []
      return [[row.name, { startMs: ready, endMs }]]
    }),
  )
}
