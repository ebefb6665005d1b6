import { useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { useData } from '../../data/page-data.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { idleGaps, spanWithoutGaps, type Gap } from '../../model/idle-time.ts'
import { spansOf } from '../../model/timeline-rows.ts'
import { wholeSpan } from '../../model/timeline-scale.ts'
import type { RunAddress } from '../../model/links.ts'
import { TimelineAxis } from './timeline-axis.tsx'
import { onTimelineKey } from './timeline-keys.ts'
import { TimelineTools } from './timeline-tools.tsx'
import { useDrawnRows } from './use-drawn-rows.tsx'
import { useRowView } from './use-row-view.ts'
import { useTimelineRows } from './use-timeline-rows.ts'
import { useTimeView } from './use-time-view.ts'

interface Props {
  readonly run: RunAddress
  readonly steps: readonly StepRow[]
}

const noGaps: readonly Gap[] = []

/** The steps of a run as bars, in the order in which they began. Only the rows in view are on the page. */
export function StepTimeline({ run, steps }: Props) {
  const { now } = useData()
  const { query } = useLocation()
  const grid = useRef<HTMLDivElement>(null)
  const { rows, path, waited, toggle, hidesSucceeded, hideSucceeded } = useTimelineRows(steps)
  const goesOn = useMemo(() => steps.some(({ state }) => state === 'running'), [steps])
  const nowMs = goesOn ? now.value : 0
  const [cutsIdle, cutIdle] = useState(true)
  const spans = useMemo(() => spansOf(steps, nowMs), [steps, nowMs])
  const idle = useMemo(() => idleGaps(spans), [spans])
  const gaps = cutsIdle ? idle : noGaps
  const whole = useMemo(() => spanWithoutGaps(gaps, wholeSpan(spans)), [spans, gaps])
  const time = useTimeView(whole)
  const { indices, stop, goTo, setStop, onScroll } = useRowView(grid, rows, query['step'])
  const drawn = useDrawnRows({ run, rows, path, waited, toggle, view: time.span, gaps, onFocus: setStop })
  return (
    <>
      <TimelineTools
        onZoom={time.zoom}
        onWhole={() => time.show(undefined)}
        isWhole={time.isWhole}
        hidesSucceeded={hidesSucceeded}
        onHide={hideSucceeded}
        cutsIdle={idle.length === 0 ? undefined : cutsIdle}
        onCutIdle={(cuts) => {
          cutIdle(cuts)
          time.show(undefined)
        }}
      />
      {rows.length === 0 && <Notice title="All steps have succeeded" />}
      <div
        ref={grid}
        class="step-timeline"
        role="treegrid"
        aria-label="Timeline"
        aria-rowcount={rows.length}
        tabIndex={-1}
        onKeyDown={(event) => onTimelineKey(event, { rows, stop, time, goTo, toggle })}
        onScroll={onScroll}
      >
        <TimelineAxis whole={whole} view={time.span} gaps={gaps} onBrush={time.show} />
        <div class="step-timeline-rows" role="rowgroup" style={{ '--rows': rows.length }}>
          {indices.map((index) => drawn(index, index === stop))}
        </div>
      </div>
    </>
  )
}
