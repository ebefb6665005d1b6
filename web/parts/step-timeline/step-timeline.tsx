import type { ComponentChildren } from 'preact'
import { Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { hasEnded, runState, stateWord, type State } from '../../model/states.ts'
import { byStart, type ChildNode, type StepRow } from '../../model/step-rows.ts'
import { barOf, ticksOf, tickText, wholeSpan, type Span } from '../../model/timeline-scale.ts'
import { StateMark } from '../state-mark/state-mark.tsx'
import { StepName, type RunPlace } from '../step-table/step-name.tsx'
import { walkRows } from './walk-rows.ts'

interface Props {
  readonly run: RunPlace
  readonly steps: readonly StepRow[]
}

/** The steps of a run as bars, in the order in which they began. */
export function StepTimeline({ run, steps }: Props) {
  const { now } = useData()
  const spans = steps.map((row) => spanOf(row, now.value))
  const whole = wholeSpan(spans.filter((span) => span !== undefined))
  return (
    <div class="step-timeline" role="treegrid" aria-label="Timeline" tabIndex={-1} onKeyDown={walkRows}>
      <Axis whole={whole} />
      {byStart(steps).map((row, index) => (
        <Row key={row.name} row={row} isFirst={index === 0}>
          <div role="gridcell" class="step-timeline-name">
            <StateMark state={row.state} />
            <StepName run={run} row={row} />
            <span class="unseen">{stateWord(row.state)}</span>
          </div>
          <div role="gridcell" class="step-timeline-lane">
            <BarOf whole={whole} span={spanOf(row, now.value)} state={row.state} />
          </div>
          <div role="gridcell" class="step-timeline-took">
            {row.startedAtMs === undefined ? (
              <span class="quiet">{stateWord(row.state)}</span>
            ) : (
              <Took startedAt={row.startedAtMs} ms={row.tookMs} isOver={hasEnded(row.state)} now={now} />
            )}
          </div>
        </Row>
      ))}
    </div>
  )
}

function spanOf(row: StepRow, nowMs: number): Span | undefined {
  if (row.startedAtMs === undefined) return undefined
  const tookMs = row.tookMs ?? (hasEnded(row.state) ? 0 : Math.max(0, nowMs - row.startedAtMs))
  return { startMs: row.startedAtMs, endMs: row.startedAtMs + tookMs }
}

interface RowProps {
  readonly row: StepRow
  readonly isFirst: boolean
  readonly children: ComponentChildren
}

function Row({ row, isFirst, children }: RowProps) {
  return (
    <>
      <div
        role="row"
        aria-level={1}
        aria-label={`${row.name} ${stateWord(row.state)}`}
        class="step-timeline-row"
        tabIndex={isFirst ? 0 : -1}
        {...(row.children.length > 0 && { 'aria-expanded': true })}
      >
        {children}
      </div>
      {row.children.map((child) => (
        <Child key={child.dagRunId} child={child} />
      ))}
    </>
  )
}

function Child({ child }: { readonly child: ChildNode }) {
  const state = runState(child.status)
  return (
    <div
      role="row"
      aria-level={2}
      aria-label={`${child.name} ${stateWord(state)}`}
      class="step-timeline-row step-timeline-child"
      tabIndex={-1}
    >
      <div role="gridcell" class="step-timeline-name">
        <StateMark state={state} />
        <span>{child.name}</span>
      </div>
      <div role="gridcell" class="step-timeline-lane quiet code">
        {child.dagRunId}
      </div>
      <div role="gridcell" class="step-timeline-took">
        {stateWord(state)}
      </div>
    </div>
  )
}

interface BarProps {
  readonly whole: Span
  readonly span: Span | undefined
  readonly state: State
}

function BarOf({ whole, span, state }: BarProps) {
  if (span === undefined) return null
  const { left, width } = barOf(whole, span)
  return (
    <span
      aria-hidden="true"
      class={`step-timeline-bar state-mark-${state}`}
      style={{ insetInlineStart: `${left}%`, inlineSize: `${width}%` }}
    />
  )
}

/** Time since the first start. */
function Axis({ whole }: { readonly whole: Span }) {
  const range = whole.endMs - whole.startMs
  return (
    <div class="step-timeline-row step-timeline-axis" aria-hidden="true">
      <div class="step-timeline-name" />
      <div class="step-timeline-lane">
        {ticksOf(whole)
          .filter((ms) => ms / range <= 0.94)
          .map((ms) => (
            <span key={ms} class="step-timeline-tick" style={{ insetInlineStart: `${(ms / range) * 100}%` }}>
              {tickText(ms)}
            </span>
          ))}
      </div>
      <div class="step-timeline-took" />
    </div>
  )
}
