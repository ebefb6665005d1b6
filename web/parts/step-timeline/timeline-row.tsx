import type { ComponentChildren } from 'preact'
import { Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { durationText } from '../../model/durations.ts'
import type { Gap } from '../../model/idle-time.ts'
import { hasEnded, runState, stateWord } from '../../model/states.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { spanOf, type TimelineRow } from '../../model/timeline-rows.ts'
import type { Span } from '../../model/timeline-scale.ts'
import { StateMark } from '../state-mark/state-mark.tsx'
import type { RunAddress } from '../../model/links.ts'
import { StepName } from '../step-table/step-name.tsx'
import { TimelineBar } from './timeline-bar.tsx'

export interface RowProps {
  readonly run: RunAddress
  readonly row: TimelineRow
  /** Counted from 0. */
  readonly index: number
  readonly isStop: boolean
  readonly view: Span
  readonly gaps: readonly Gap[]
  readonly wait: Span | undefined
  readonly isOnPath: boolean
  readonly onToggle: () => void
  readonly onFocus: () => void
}

/** A step with its bar, or one of its child runs. */
export function TimelineRowView(props: RowProps) {
  return props.row.child === undefined ? <StepLine {...props} /> : <ChildLine {...props} />
}

function StepLine(props: RowProps) {
  const { now } = useData()
  const { run, row, view, gaps, wait, isOnPath, onToggle } = props
  const { step, isOpen } = row
  // Ended steps do not change with the clock.
  const span = spanOf(step, hasEnded(step.state) ? 0 : now.value)
  return (
    <Line {...props} name={`${step.name} ${stateWord(step.state)}`}>
      <div role="gridcell" class="step-timeline-name">
        {isOpen !== undefined && (
          <button
            type="button"
            class="step-timeline-fold"
            tabIndex={-1}
            aria-label={`${isOpen ? 'Hide' : 'Show'} ${step.children.length} child runs`}
            onClick={onToggle}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        )}
        <StateMark state={step.state} />
        <StepName run={run} row={step} />
        <span class="unseen">{stateWord(step.state)}</span>
        {isOpen === false && <span class="quiet">× {step.children.length}</span>}
      </div>
      <div role="gridcell" class="step-timeline-lane">
        <span class="unseen">{factsOf(step, wait, isOnPath)}</span>
        <TimelineBar view={view} gaps={gaps} span={span} step={step} wait={wait} isOnPath={isOnPath} />
      </div>
      <div role="gridcell" class="step-timeline-took">
        {step.tries > 1 && <span class="step-timeline-tries quiet">{step.tries} tries</span>}{' '}
        {step.startedAtMs === undefined ? (
          <span class="quiet">{stateWord(step.state)}</span>
        ) : (
          <Took startedAt={step.startedAtMs} ms={step.tookMs} isOver={hasEnded(step.state)} now={now} />
        )}
      </div>
    </Line>
  )
}

/** What the bar shows, in words. */
function factsOf({ tries }: StepRow, wait: Span | undefined, isOnPath: boolean): string {
  const facts = [
    wait === undefined ? '' : `waited ${durationText(wait.endMs - wait.startMs)}`,
    tries > 1 ? `${tries} tries` : '',
    isOnPath ? 'on the critical path' : '',
  ]
  return facts.filter((fact) => fact !== '').join(', ')
}

function ChildLine(props: RowProps) {
  const { links } = useData()
  const {
    run: { name, runId },
    row: { child },
  } = props
  if (child === undefined) return null
  const state = runState(child.status)
  return (
    <Line {...props} name={`${child.name} ${stateWord(state)}`}>
      <div role="gridcell" class="step-timeline-name step-timeline-child">
        <StateMark state={state} />
        <a href={links.runAt({ name, runId, childId: child.dagRunId })}>{child.name}</a>
      </div>
      <div role="gridcell" class="step-timeline-lane quiet code">
        {child.dagRunId}
      </div>
      <div role="gridcell" class="step-timeline-took">
        {stateWord(state)}
      </div>
    </Line>
  )
}

type LineProps = RowProps & { readonly name: string; readonly children: ComponentChildren }

function Line({ row, index, isStop, name, children, onFocus }: LineProps) {
  return (
    <div
      role="row"
      aria-level={row.child === undefined ? 1 : 2}
      aria-rowindex={index + 1}
      aria-label={name}
      class="step-timeline-row step-timeline-placed"
      style={{ '--row-index': index }}
      tabIndex={isStop ? 0 : -1}
      data-row={row.key}
      onFocus={onFocus}
      {...(row.isOpen !== undefined && { 'aria-expanded': row.isOpen })}
    >
      {children}
    </div>
  )
}
