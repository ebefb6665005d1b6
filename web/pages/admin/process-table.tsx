import type { Operations } from '#lib/client/api-types.gen.ts'
import { DataTable } from '../../controls/data-table/data-table.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'

interface Props {
  readonly processes: Operations['getSystem']['responses'][200]['processes']
  /** Of the process that answers. */
  readonly version: string
}

/** Every process of the service, and which of them have another version. */
export function ProcessTable({ processes, version }: Props) {
  const { now } = useData()
  return (
    <section aria-label="Processes">
      <h2>Processes</h2>
      {processes.length === 0 ? (
        <p class="admin-about quiet">No process has reported itself; serverless functions never do.</p>
      ) : (
        <DataTable
          name="Processes"
          columns={[
            { name: 'Part' },
            { name: 'Host' },
            { name: 'Version' },
            { name: 'State' },
            { name: 'Started', isExtra: true },
            { name: 'Process id', isExtra: true },
          ]}
        >
          {processes.map((process) => (
            <tr key={process.id}>
              <th scope="row">{process.part}</th>
              <td class="admin-table-long">{process.host}</td>
              <td>
                {process.version}
                {process.version !== version && <span class="quiet"> (another than answers)</span>}
              </td>
              <td>
                {process.isActive ? 'alive' : 'silent'}, seen <Ago at={instantOf(process.seenAt)} now={now} />
              </td>
              <td class="data-table-extra">
                <Ago at={instantOf(process.startedAt)} now={now} />
              </td>
              <td class="data-table-extra">{process.pid}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  )
}
