import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Gap } from '../../model/idle-time.ts'
import type { Span } from '../../model/timeline-scale.ts'
import type { RunAddress } from '../../model/links.ts'
import { TimelineRowView } from './timeline-row.tsx'
import type { TimelineRows } from './use-timeline-rows.ts'

type Given = Pick<TimelineRows, 'rows' | 'path' | 'waited' | 'toggle'> & {
  readonly run: RunAddress
  readonly view: Span
  readonly gaps: readonly Gap[]
  readonly onFocus: (key: string) => void
}

/** Draws a row only when its data changes: scrolling only adds the rows that come into view. */
export function useDrawnRows({ run, rows, path, waited, toggle, view, gaps, onFocus }: Given) {
  const kept = useMemo(() => new Map<string, VNode>(), [rows, path, waited, gaps, view.startMs, view.endMs])
  return (index: number, isStop: boolean): VNode | null => {
    const row = rows[index]
    if (row === undefined) return null
    const key = `${row.key} ${isStop ? 'stop' : ''}`
    const before = kept.get(key)
    if (before !== undefined) return before
    const drawn = (
      <TimelineRowView
        key={row.key}
        run={run}
        row={row}
        index={index}
        isStop={isStop}
        view={view}
        gaps={gaps}
        wait={waited.get(row.step.name)}
        isOnPath={path.has(row.step.name)}
        onToggle={() => toggle(row)}
        onFocus={() => onFocus(row.key)}
      />
    )
    kept.set(key, drawn)
    return drawn
  }
}
