import { useMemo, useState } from 'preact/hooks'
import { criticalPath } from '../../model/critical-path.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { timelineRows, waits, withoutSucceeded, type TimelineRow } from '../../model/timeline-rows.ts'
import type { Span } from '../../model/timeline-scale.ts'

export interface TimelineRows {
  readonly rows: readonly TimelineRow[]
  /** Steps that decided when the run ended. */
  readonly path: ReadonlySet<string>
  readonly waited: ReadonlyMap<string, Span>
  /** Opens or closes the child runs of a step. */
  readonly toggle: (row: TimelineRow) => void
  readonly hidesSucceeded: boolean
  readonly hideSucceeded: (hides: boolean) => void
}

/** The rows of a timeline with their texts; recomputed when a step changes, not every second. */
export function useTimelineRows(steps: readonly StepRow[]): TimelineRows {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [hidesSucceeded, hideSucceeded] = useState(false)
  const path = useMemo(() => criticalPath(steps), [steps])
  const waited = useMemo(() => waits(steps), [steps])
  const rows = useMemo(
    () => timelineRows(hidesSucceeded ? withoutSucceeded(steps) : steps, toggled),
    [steps, hidesSucceeded, toggled],
  )
  const toggle = ({ key }: TimelineRow): void =>
    setToggled((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  return { rows, path, waited, toggle, hidesSucceeded, hideSucceeded }
}
