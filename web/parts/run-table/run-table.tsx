import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'
import { patchRows } from '../../model/patch-rows.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { SelectCell, SelectHead } from '../bulk-bar/select-cell.tsx'
import type { Selecting } from '../bulk-bar/use-selection.ts'
import { StateSign } from '../state-mark/state-mark.tsx'

export interface RunItem {
  readonly dagRunId: string
  readonly name: string
  readonly status: number
  readonly queuedAt: string
  readonly startedAt: string
  readonly durationMs?: number
  readonly triggerType: string
  readonly triggeredBy?: string
}

/** Pages of runs updated for one run. */
export function withRun<Page extends { readonly dagRuns: readonly RunItem[] }>(
  pages: readonly Page[],
  news: unknown,
): readonly Page[] {
  const keyOf = ({ name, dagRunId }: RunItem): string => `${name}/${dagRunId}`
  const rows = patchRows(
    pages.map(({ dagRuns }) => dagRuns),
    news as RunItem,
    { keyOf, isNewestFirst: true },
  )
  return pages.map((page, index) => ({ ...page, dagRuns: rows[index] ?? [] }))
}

interface Props {
  readonly name: string
  readonly runs: readonly RunItem[]
  /** Whether runs of several DAGs are listed. */
  readonly hasDag: boolean
  /** Absent: rows are not selected. */
  readonly selecting?: Selecting
}

/** Runs as rows. Each leads to its page, from anywhere in the row. */
export function RunTable({ name, runs, hasDag, selecting }: Props) {
  return (
    <div class="run-table">
      <table class="data-table-rows run-table-rows" aria-label={name}>
        <thead>
          <tr>
            {selecting !== undefined && <SelectHead selecting={selecting} noun="run" />}
            <th scope="col">State</th>
            {hasDag && <th scope="col">DAG</th>}
            <th scope="col" class={hasDag ? 'run-table-rest' : ''}>
              Run
            </th>
            <th scope="col" class="run-table-rest">
              Trigger
            </th>
            <th scope="col">Started</th>
            <th scope="col" class="run-table-took">
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={`${run.name} ${run.dagRunId}`} run={run} hasDag={hasDag} selecting={selecting} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps extends Pick<Props, 'hasDag'> {
  readonly run: RunItem
  readonly selecting: Selecting | undefined
}

function RunRow({ run, hasDag, selecting }: RowProps) {
  const { links, now } = useData()
  const state = runState(run.status)
  const startedAt = instantOf(run.startedAt)
  const href = links.run(run.name, run.dagRunId)
  const key = `${run.name}/${run.dagRunId}`
  return (
    <tr
      class={selecting?.isSelected(key) === true ? 'run-table-row data-table-selected' : 'run-table-row'}
      {...(selecting && { onKeyDown: (event: KeyboardEvent) => selecting.onKey(event, key) })}
    >
      {selecting !== undefined && (
        <SelectCell selecting={selecting} id={key} name={`${run.name} ${run.dagRunId}`} />
      )}
      <td>
        <StateSign state={state} />
      </td>
      {hasDag && (
        <td class="run-table-dag">
          <a class="run-table-link" href={href} title={run.name}>
            {run.name}
          </a>
        </td>
      )}
      <td class={hasDag ? 'code run-table-id run-table-rest' : 'code run-table-id'}>
        {hasDag ? (
          <span title={run.dagRunId}>{run.dagRunId}</span>
        ) : (
          <a class="run-table-link" href={href}>
            {run.dagRunId}
          </a>
        )}
      </td>
      <td class="run-table-rest">
        {run.triggerType}
        {run.triggeredBy !== undefined && <span class="quiet"> by {run.triggeredBy}</span>}
      </td>
      <td>
        <Ago at={startedAt ?? instantOf(run.queuedAt)} now={now} />
      </td>
      <td class="run-table-took">
        <Took startedAt={startedAt} ms={run.durationMs} isOver={hasEnded(state)} now={now} />
      </td>
    </tr>
  )
}
