import { Button } from '../../controls/button/button.tsx'
import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { useRunRefusal } from '../../data/refusal.ts'
import { typicalMs } from '../../model/dag-view.ts'
import { durationText, instantOf } from '../../model/durations.ts'
import { scheduleText } from '../../model/schedule-text.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { SelectCell } from '../../parts/bulk-bar/select-cell.tsx'
import type { Selecting } from '../../parts/bulk-bar/use-selection.ts'
import { RunBars } from '../../parts/run-bars/run-bars.tsx'
import { ScheduledSwitch } from '../../parts/scheduled-switch/scheduled-switch.tsx'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'
import type { DagItem } from './dag-item.ts'

interface Props {
  readonly item: DagItem
  /** Of those that are shown, from 0; and in the whole list, with its head, from 1. */
  readonly row: number
  readonly index: number
  readonly onStart: (dag: DagItem) => void
  readonly selecting: Selecting
}

/** A DAG with its last runs, its next run and its actions. */
export function DagRow({ item, row, index, onStart, selecting }: Props) {
  const refusal = useRunRefusal()
  const { links, now } = useData()
  const { fileName, dag, latestDAGRun: latest } = item
  const hasRun = latest.dagRunId !== ''
  const state = hasRun ? runState(latest.status) : 'never_ran'
  return (
    <tr
      {...(selecting.isSelected(fileName) && { class: 'data-table-selected' })}
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
      <td class="dag-table-took">
        <Lasted item={item} isOver={hasEnded(state)} />
      </td>
      <td class="dag-table-rest">
        <RunBars dagName={latest.name} runs={item.recentRuns ?? []} />
      </td>
      <td class="dag-table-next">
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
        <div class="dag-table-about quiet" title={`median of the last ${recentRuns.length} runs`}>
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
