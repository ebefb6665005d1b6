import type { Operations } from '#lib/client/api-types.gen.ts'
import { Ago } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'

interface Props {
  readonly processes: Operations['getSystem']['replies'][200]['processes']
  /** Of the process that answers. */
  readonly version: string
}

/** Every process that serves, and which of them are of another version. */
export function ProcessTable({ processes, version }: Props) {
  const { now } = useData()
  return (
    <section class="admin-table" aria-label="Processes">
      <h2>Processes</h2>
      {processes.length === 0 ? (
        <p class="admin-about quiet">None has left a sign: functions of a platform leave none.</p>
      ) : (
        <table class="admin-table-rows" aria-label="Processes">
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Host</th>
              <th scope="col">Version</th>
              <th scope="col">State</th>
              <th scope="col" class="admin-table-rest">
                Started
              </th>
              <th scope="col" class="admin-table-rest">
                Process id
              </th>
            </tr>
          </thead>
          <tbody>
            {processes.map((process) => (
              <tr key={process.id}>
                <th scope="row">{process.part}</th>
                <td class="admin-table-long">{process.host}</td>
                <td>
                  {process.version}
                  {process.version !== version && <span class="quiet"> (another than answers)</span>}
                </td>
                <td>
                  {process.isActive ? 'alive' : 'silent'}, seen{' '}
                  <Ago at={instantOf(process.seenAt)} now={now} />
                </td>
                <td class="admin-table-rest">
                  <Ago at={instantOf(process.startedAt)} now={now} />
                </td>
                <td class="admin-table-rest">{process.pid}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
