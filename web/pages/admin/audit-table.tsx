import type { Operations } from '#lib/client/api-types.gen.ts'
import { DataTable } from '../../controls/data-table/data-table.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { changeText } from '../../model/audit-filter.ts'
import { instantOf } from '../../model/durations.ts'

type Entry = Operations['listAuditEntries']['responses'][200]['entries'][number]

export function AuditTable({ entries }: { readonly entries: readonly Entry[] }) {
  const { now } = useData()
  return (
    <DataTable
      name="Audit"
      columns={[
        { name: 'When' },
        { name: 'Who' },
        { name: 'Action' },
        { name: 'Object and changes' },
        { name: 'Answer' },
        { name: 'From', isExtra: true },
      ]}
    >
      {entries.map((entry) => (
        <tr key={entry.requestId + entry.at + entry.target + entry.actor}>
          <td>
            <Ago at={instantOf(entry.at)} now={now} />
          </td>
          <td>
            {entry.actor === '' ? 'unknown' : entry.actor}{' '}
            {entry.role !== 'none' && <span class="quiet">({entry.role})</span>}
          </td>
          <td>
            {entry.action}
            {entry.count > 1 && <span class="quiet"> × {entry.count}</span>}
          </td>
          <td class="admin-table-long">
            <span class="code">{entry.target.replace(/^\/api\/v2/, '')}</span>
            {entry.changes.length > 0 && (
              <ul class="admin-changes" aria-label="Changes">
                {entry.changes.map((change) => (
                  <li key={change.field}>{changeText(change)}</li>
                ))}
              </ul>
            )}
          </td>
          <td>{entry.status < 400 ? 'done' : `refused (${entry.status})`}</td>
          <td class="data-table-extra">
            {entry.address === '' ? '–' : entry.address}
            {entry.requestId !== '' && <div class="admin-table-about quiet">request {entry.requestId}</div>}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
