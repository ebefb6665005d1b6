import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Ago, Took } from '../../controls/time/time.tsx'
import { WindowRows } from '../../controls/window-rows/window-rows.tsx'
import { useData } from '../../data/page-data.ts'
import { useRunRefusal } from '../../data/refusal.ts'
import { typicalMs, type DagView } from '../../model/dag-view.ts'
import { durationText, instantOf } from '../../model/durations.ts'
import { scheduleText } from '../../model/schedule-text.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { SelectCell, SelectHead } from '../../parts/bulk-bar/select-cell.tsx'
import { useSelection, type Selecting } from '../../parts/bulk-bar/use-selection.ts'
import { RunBars } from '../../parts/run-bars/run-bars.tsx'
import { ScheduledSwitch } from '../../parts/scheduled-switch/scheduled-switch.tsx'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'
import { DagBulk } from './dag-bulk.tsx'
import type { DagItem } from './dag-item.ts'
import { SortHead } from './sort-head.tsx'

interface Props {
  readonly dags: readonly DagItem[]
  readonly view: DagView
  readonly hrefOf: (view: DagView) => string
  readonly onStart: (dag: DagItem) => void
  /** DAGs before these, and all of the list. */
  readonly before: number
  readonly total: number
}

/** Pixels of a row, as in the style sheet. */
const rowHeight = 52
const columns = 9

/** DAGs as rows, of which only those near the view are on the page. */
export function DagTable({ dags, view, hrefOf, onStart, before, total }: Props) {
  const head = { view, hrefOf }
  const { selecting, selected, clear } = useSelection(dags.map(({ fileName }) => fileName))
  const drawn = useMemo(() => new Map<number, VNode>(), [dags, before, [...selected].join('/')])
  const draw = (row: number): VNode => {
    const known = drawn.get(row)
    if (known !== undefined) return known
    const item = dags[row] as DagItem
    const made = (
      <DagRow
        key={item.fileName}
        item={item}
        row={row}
        index={before + row + 2}
        onStart={onStart}
        selecting={selecting}
      />
    )
    drawn.set(row, made)
    return made
  }
  return (
    <>
      <div class="dag-table">
        <table class="dag-table-rows" aria-label="DAGs" aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <SelectHead selecting={selecting} noun="DAG" />
              <SortHead {...head} column="name">
                DAG
              </SortHead>
              <SortHead {...head} column="state">
                Last run
              </SortHead>
              <SortHead {...head} column="last" class="dag-table-rest">
                Ran
              </SortHead>
              <SortHead {...head} column="duration" class="dag-table-rest">
                Took
              </SortHead>
              <th scope="col" class="dag-table-rest">
                Runs
              </th>
              <SortHead {...head} column="next" class="dag-table-rest">
                Next
              </SortHead>
              <th scope="col">Scheduled</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <WindowRows rows={dags.length} columns={columns} rowHeight={rowHeight} draw={draw} />
        </table>
      </div>
      <DagBulk dags={dags.filter(({ fileName }) => selected.has(fileName))} onClear={clear} />
    </>
  )
}

interface RowProps {
  readonly item: DagItem
  /** Of those that are shown, from 0; and in the whole list, with its head, from 1. */
  readonly row: number
  readonly index: number
  readonly onStart: (dag: DagItem) => void
  readonly selecting: Selecting
}

function DagRow({ item, row, index, onStart, selecting }: RowProps) {
  const refusal = useRunRefusal()
  const { links, now } = useData()
  const { fileName, dag, latestDAGRun: latest } = item
  const hasRun = latest.dagRunId !== ''
  const state = hasRun ? runState(latest.status) : 'never_ran'
  return (
    <tr
      class={selecting.isSelected(fileName) ? 'dag-table-row dag-table-selected' : 'dag-table-row'}
      data-row={row}
      aria-rowindex={index}
      onKeyDown={(event) => selecting.onKey(event, fileName)}
    >
      <SelectCell selecting={selecting} id={fileName} name={fileName} />
      <td class="dag-table-name">
        <a href={links.dag(fileName)} title={dag.description}>
          {fileName}
        </a>
        {dag.group !== '' && <span class="dag-table-tag">{dag.group}</span>}
        {dag.tags.map((tag) => (
          <span key={tag} class="dag-table-tag">
            {tag}
          </span>
        ))}
        <div class="dag-table-about quiet">
          {item.errors.length > 0 ? `Fault: ${item.errors[0]}` : dag.description}
        </div>
      </td>
      <td>
        {hasRun ? (
          <a class="dag-table-state" href={links.run(latest.name, latest.dagRunId)}>
            <StateSign state={state} />
          </a>
        ) : (
          <StateSign state={state} />
        )}
      </td>
      <td class="dag-table-rest">
        <Ago at={instantOf(latest.startedAt) ?? instantOf(latest.queuedAt)} now={now} />
      </td>
      <td class="dag-table-rest">
        <Lasted item={item} isOver={hasEnded(state)} />
      </td>
      <td class="dag-table-rest">
        <RunBars dagName={latest.name} runs={item.recentRuns ?? []} />
      </td>
      <td class="dag-table-rest">
        <NextRun item={item} />
      </td>
      <td>
        <ScheduledSwitch fileName={fileName} isSuspended={item.suspended} />
      </td>
      <td class="dag-table-actions">
        <Button refusal={refusal} onPress={() => onStart(item)}>
          Start
        </Button>
      </td>
    </tr>
  )
}

/** How long the newest run took, and what is usual. */
function Lasted({ item, isOver }: { readonly item: DagItem; readonly isOver: boolean }) {
  const { now } = useData()
  const { latestDAGRun: latest, recentRuns = [] } = item
  const typical = typicalMs(recentRuns.map(({ durationMs }) => durationMs))
  return (
    <>
      <Took startedAt={instantOf(latest.startedAt)} ms={latest.durationMs} isOver={isOver} now={now} />
      {typical !== undefined && recentRuns.length > 2 && (
        <div
          class="dag-table-about quiet"
          title={`half of the last ${recentRuns.length} runs took no longer`}
        >
          typically {durationText(typical)}
        </div>
      )}
    </>
  )
}

/** When the schedule starts it next; while suspended, only what the schedule is. */
function NextRun({ item }: { readonly item: DagItem }) {
  const { now } = useData()
  const at = instantOf(item.nextRun)
  const schedule = scheduleText(item.dag.schedule)
  return (
    <>
      {at !== undefined && <Ago at={at} now={now} />}
      {schedule !== '' && (
        <div class="code dag-table-about dag-table-schedule quiet" title={item.nextRunZone ?? ''}>
          {schedule}
        </div>
      )}
    </>
  )
}
