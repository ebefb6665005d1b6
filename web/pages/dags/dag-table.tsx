import { Button } from '../../controls/button/button.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'
import { runState } from '../../model/states.ts'
import { RunBars } from '../../parts/run-bars/run-bars.tsx'
import { ScheduledSwitch } from '../../parts/scheduled-switch/scheduled-switch.tsx'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'
import type { DagItem } from './dag-item.ts'

interface Props {
  readonly dags: readonly DagItem[]
  readonly onStart: (dag: DagItem) => void
}

export function DagTable({ dags, onStart }: Props) {
  return (
    <div class="dag-table">
      <table class="dag-table-rows" aria-label="DAGs">
        <thead>
          <tr>
            <th scope="col">DAG</th>
            <th scope="col">Last run</th>
            <th scope="col" class="dag-table-rest">
              Ran
            </th>
            <th scope="col" class="dag-table-rest">
              Runs
            </th>
            <th scope="col" class="dag-table-rest">
              Schedule
            </th>
            <th scope="col" class="dag-table-rest">
              Next
            </th>
            <th scope="col">Scheduled</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {dags.map((dag) => (
            <DagRow key={dag.fileName} item={dag} onStart={onStart} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function DagRow({ item, onStart }: { readonly item: DagItem; readonly onStart: (dag: DagItem) => void }) {
  const { links, now } = useData()
  const { fileName, dag, latestDAGRun: latest } = item
  const hasRun = latest.dagRunId !== ''
  const state = hasRun ? runState(latest.status) : 'never_ran'
  return (
    <tr class="dag-table-row">
      <td class="dag-table-name">
        <a href={links.dag(fileName)} title={dag.description}>
          {fileName}
        </a>
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
        <RunBars dagName={latest.name} runs={item.recentRuns ?? []} />
      </td>
      <td class="code dag-table-rest dag-table-schedule">
        {dag.schedule.map(({ expression }) => expression).join(', ')}
      </td>
      <td class="dag-table-rest">{item.nextRun !== '' && <Ago at={instantOf(item.nextRun)} now={now} />}</td>
      <td>
        <ScheduledSwitch fileName={fileName} isSuspended={item.suspended} />
      </td>
      <td class="dag-table-actions">
        <Button onPress={() => onStart(item)}>Start</Button>
      </td>
    </tr>
  )
}
