import { DataTable } from '../../controls/data-table/data-table.tsx'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { durationText } from '../../model/durations.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { LevelSign } from './level-sign.tsx'

/** The other instances to which calls may be forwarded. */
export function NodesView() {
  const { ask } = useData()
  const reading = useQuery(['admin', 'nodes'], () => ask('listNodes'))
  return (
    <Loaded reading={reading} what="the remote nodes">
      {({ nodes }) =>
        nodes.length === 0 ? (
          <Notice title="There is no remote node">
            <code>MILLRACE_REMOTE_NODES</code> names a file that lists them.
          </Notice>
        ) : (
          <>
            <div class="admin-tools">
              <Button onPress={reading.again}>Check again</Button>
            </div>
            <DataTable
              name="Nodes"
              columns={[
                { name: 'Node' },
                { name: 'State' },
                { name: 'Address' },
                { name: 'Role there' },
                { name: 'Version', isExtra: true },
                { name: 'Answered in', isExtra: true },
              ]}
            >
              {nodes.map(({ name, state, error, baseUrl, role, version, tookMs }) => (
                <tr key={name}>
                  <th scope="row" class="admin-table-name">
                    {name}
                  </th>
                  <td class="admin-table-long">
                    <LevelSign level={levels[state]} word={state} />
                    {error !== undefined && <div class="admin-table-about quiet">{error}</div>}
                  </td>
                  <td class="admin-table-long code">{baseUrl}</td>
                  <td>{role ?? '–'}</td>
                  <td class="data-table-extra">{version ?? '–'}</td>
                  <td class="data-table-extra">{state === 'unreachable' ? '–' : durationText(tookMs)}</td>
                </tr>
              ))}
            </DataTable>
          </>
        )
      }
    </Loaded>
  )
}

const levels = { reachable: 'ok', refused: 'warn', unreachable: 'fail' } as const
