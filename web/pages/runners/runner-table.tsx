import { DataCell, DataTable } from '../../controls/data-table/data-table.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { UsedBar } from '../../controls/used-bar/used-bar.tsx'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'
import { StateMark } from '../../parts/state-mark/state-mark.tsx'
import { DrainButton } from './drain-button.tsx'
import { LabelList } from './label-list.tsx'
import type { Runner } from './runner-answer.ts'

const columns = [
  { name: 'Runner' },
  { name: 'Health' },
  { name: 'Slots' },
  { name: 'Labels', isExtra: true },
  { name: 'Runs', isExtra: true },
  { name: 'Started', isExtra: true },
  { name: 'Actions', isUnseen: true },
]

export function RunnerTable({ runners }: { readonly runners: readonly Runner[] }) {
  const { now } = useData()
  return (
    <DataTable name="Runners" columns={columns}>
      {runners.map((runner) => (
        <tr key={runner.id}>
          <DataCell>
            <span class="code runner-table-id">{runner.id}</span>
            {!runner.id.startsWith(runner.host) && <div class="quiet">{runner.host}</div>}
          </DataCell>
          <DataCell>
            <Health runner={runner} />
          </DataCell>
          <DataCell>
            <UsedBar used={runner.used} of={runner.slots} />
          </DataCell>
          <DataCell isExtra>
            <LabelList labels={runner.labels} />
          </DataCell>
          <DataCell isExtra>
            <RunLinks runner={runner} />
          </DataCell>
          <DataCell isExtra>
            <Ago at={instantOf(runner.startedAt)} now={now} />
          </DataCell>
          <DataCell>
            <DrainButton runner={runner} />
          </DataCell>
        </tr>
      ))}
    </DataTable>
  )
}

const marks = { healthy: 'success', warning: 'partial_success', unhealthy: 'failed' } as const

/** By the age of the last heartbeat: under 5 s, up to 15 s, more. Heartbeats of healthy runners are not shown. */
function Health({ runner }: { readonly runner: Runner }) {
  const { now } = useData()
  const { healthStatus, draining, drainedBy } = runner
  return (
    <>
      <span class="state-sign">
        <StateMark state={marks[healthStatus]} />
        {healthStatus}
      </span>
      {healthStatus !== 'healthy' && (
        <div class="quiet">
          heartbeat <Ago at={instantOf(runner.lastHeartbeatAt)} now={now} />
        </div>
      )}
      {draining && <div>draining{drainedBy ? ` by ${drainedBy}` : ''}</div>}
    </>
  )
}

/** Runs whose links are shown. */
const shownMax = 3

function RunLinks({ runner: { runningTasks: tasks } }: { readonly runner: Runner }) {
  const { links } = useData()
  return (
    <>
      {tasks.slice(0, shownMax).map(({ dagName, dagRunId, rootDagRunName, rootDagRunId }) => {
        const isRoot = dagRunId === rootDagRunId && dagName === rootDagRunName
        const address = { name: rootDagRunName, runId: rootDagRunId, ...(!isRoot && { childId: dagRunId }) }
        return (
          <div key={`${rootDagRunId} ${dagRunId}`}>
            <a class="runner-table-run" href={links.runAt(address)}>
              {`${dagName} ${dagRunId.slice(0, 13)}`}
            </a>
          </div>
        )
      })}
      {tasks.length > shownMax && <span class="quiet">and {tasks.length - shownMax} more</span>}
    </>
  )
}
