import { DataTable } from '../../controls/data-table/data-table.tsx'
import type { Operations } from '#lib/client/api-types.gen.ts'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'

type Setting = Operations['listSettings']['responses'][200]['settings'][number]

/** The settings of the process that answers. Secrets never leave it. */
export function SettingsView() {
  const { ask } = useData()
  const reading = useQuery(['admin', 'settings'], () => ask('listSettings'))
  return (
    <Loaded reading={reading} what="the settings">
      {({ settings }) => (
        <>
          <p class="admin-about quiet">
            The settings of the process that answers; others may differ. Secrets are never shown.
          </p>
          <DataTable name="Settings" columns={[{ name: 'Setting' }, { name: 'Value' }, { name: 'From' }]}>
            {settings.map((setting) => (
              <tr key={setting.name}>
                <th scope="row" class="admin-table-long">
                  <code>{setting.name}</code>
                  <div class="admin-table-about quiet">{setting.description}</div>
                </th>
                <td class="admin-table-long">{valueOf(setting)}</td>
                <td class="admin-table-long">{sourceOf(setting)}</td>
              </tr>
            ))}
          </DataTable>
        </>
      )}
    </Loaded>
  )
}

function valueOf({ isSecret, source, value, default: usual }: Setting) {
  if (isSecret) return <span class="quiet">{source === 'default' ? 'not set' : 'set, not shown'}</span>
  if (value === '') return <span class="quiet">{source === 'default' ? usual : 'set, not shown'}</span>
  return <code>{value}</code>
}

function sourceOf({ source, appliedBy }: Setting) {
  if (appliedBy === undefined) return source
  return (
    <>
      {source}
      <div class="admin-table-about quiet">{appliedBy}</div>
    </>
  )
}
