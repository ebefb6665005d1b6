import { useState } from 'preact/hooks'
import { DataTable } from '../../controls/data-table/data-table.tsx'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { NewKey, RevokeKey, type ApiKey } from './key-dialogs.tsx'

/** The keys of programs, newest first. */
export function KeysView() {
  const { ask } = useData()
  const reading = useQuery(['admin', 'keys'], () => ask('listApiKeys'), true)
  const [opened, setOpened] = useState<'new' | ApiKey>()
  const close = (): void => setOpened(undefined)
  return (
    <>
      <div class="admin-tools">
        <Button isMain onPress={() => setOpened('new')}>
          New key
        </Button>
      </div>
      <Loaded reading={reading} what="the keys">
        {({ apiKeys }) =>
          apiKeys.length === 0 ? (
            <Notice title="There is no key">A key lets a program call the API as a role.</Notice>
          ) : (
            <KeyTable apiKeys={apiKeys} onRevoke={setOpened} />
          )
        }
      </Loaded>
      {opened === 'new' && <NewKey onClose={close} />}
      {opened !== undefined && opened !== 'new' && <RevokeKey apiKey={opened} onClose={close} />}
    </>
  )
}

interface TableProps {
  readonly apiKeys: readonly ApiKey[]
  readonly onRevoke: (apiKey: ApiKey) => void
}

function KeyTable({ apiKeys, onRevoke }: TableProps) {
  const { now } = useData()
  return (
    <DataTable
      name="Keys"
      columns={[
        { name: 'Name' },
        { name: 'Key', isExtra: true },
        { name: 'Role' },
        { name: 'Owner', isExtra: true },
        { name: 'Last used' },
        { name: 'Created', isExtra: true },
        { name: 'State' },
        { name: 'Actions', isUnseen: true },
      ]}
    >
      {apiKeys.map((apiKey) => (
        <tr key={apiKey.id}>
          <th scope="row" class="admin-table-name">
            {apiKey.name}
          </th>
          <td class="data-table-extra code">{apiKey.prefix}…</td>
          <td>{apiKey.role}</td>
          <td class="data-table-extra">{apiKey.owner === '' ? '–' : apiKey.owner}</td>
          <td>{apiKey.lastUsedAt === '' ? 'never' : <Ago at={instantOf(apiKey.lastUsedAt)} now={now} />}</td>
          <td class="data-table-extra">
            <Ago at={instantOf(apiKey.createdAt)} now={now} />
          </td>
          <td>
            <KeyState apiKey={apiKey} />
          </td>
          <td>
            <div class="admin-table-actions">
              {apiKey.revokedAt === '' && <Button onPress={() => onRevoke(apiKey)}>Revoke</Button>}
            </div>
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

function KeyState({ apiKey: { revokedAt, expiresAt } }: { readonly apiKey: ApiKey }) {
  const { now } = useData()
  if (revokedAt !== '') return <>revoked</>
  const ends = instantOf(expiresAt)
  if (ends === undefined) return <>valid</>
  return (
    <>
      {ends < now.value ? 'expired' : 'expires'} <Ago at={ends} now={now} />
    </>
  )
}
