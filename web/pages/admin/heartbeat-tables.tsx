import { DataTable } from '../../controls/data-table/data-table.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'

/** Tickers and runners, each with its last sign of life. */
export function HeartbeatTables() {
  const { ask } = useData()
  const tickers = useQuery(['admin', 'tickers'], () => ask('listSchedulers'), true)
  const runners = useQuery(['admin', 'runners'], () => ask('listWorkers'), true)
  return (
    <>
      <Loaded reading={tickers} what="the tickers" rows={2}>
        {({ schedulers }) => (
          <Heartbeats
            name="Tickers"
            none="No tick is running: schedules do not fire"
            rows={schedulers.map(({ instanceId, status, heartbeatAt }) => ({
              id: instanceId,
              state: status,
              at: heartbeatAt,
            }))}
          />
        )}
      </Loaded>
      <Loaded reading={runners} what="the runners" rows={2}>
        {({ workers }) => (
          <Heartbeats
            name="Runners"
            none="No runner is connected: nothing runs"
            rows={workers.map(
              ({ id, draining, healthStatus, busyPollers, totalPollers, lastHeartbeatAt }) => ({
                id,
                state: `${draining ? 'draining' : healthStatus}, ${busyPollers} of ${totalPollers} slots busy`,
                at: lastHeartbeatAt,
              }),
            )}
          />
        )}
      </Loaded>
    </>
  )
}

interface Props {
  readonly name: string
  readonly none: string
  readonly rows: readonly { readonly id: string; readonly state: string; readonly at: string }[]
}

function Heartbeats({ name, none, rows }: Props) {
  const { now } = useData()
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {rows.length === 0 ? (
        <p class="admin-about quiet">{none}</p>
      ) : (
        <DataTable name={name} columns={[{ name: 'Name' }, { name: 'State' }, { name: 'Last heartbeat' }]}>
          {rows.map(({ id, state, at }) => (
            <tr key={id}>
              <th scope="row" class="admin-table-long code">
                {id}
              </th>
              <td>{state}</td>
              <td>
                <Ago at={instantOf(at)} now={now} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  )
}
