import { useState } from 'preact/hooks'
import { DataTable } from '../../controls/data-table/data-table.tsx'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { useAction } from '../../data/use-action.ts'
import { instantOf } from '../../model/durations.ts'
import { Failure, Loaded } from '../../parts/load-state/load-state.tsx'
import { DeleteUser, EditUser, NewUser, type User } from './user-dialogs.tsx'

type Opened = { readonly dialog: 'new' } | { readonly dialog: 'edit' | 'delete'; readonly user: User }

/** Who may sign in with a password, and what each may do. */
export function UsersView() {
  const { ask } = useData()
  const reading = useQuery(['admin', 'users'], () => ask('listUsers'), true)
  const [opened, setOpened] = useState<Opened>()
  const close = (): void => setOpened(undefined)
  return (
    <>
      <div class="admin-tools">
        <Button isMain onPress={() => setOpened({ dialog: 'new' })}>
          New user
        </Button>
      </div>
      <Loaded reading={reading} what="the users">
        {({ users }) =>
          users.length === 0 ? (
            <Notice title="There is no user">
              Callers use the credential of the settings, or an API key.
            </Notice>
          ) : (
            <UserTable users={users} onOpen={setOpened} />
          )
        }
      </Loaded>
      {opened?.dialog === 'new' && <NewUser onClose={close} />}
      {opened?.dialog === 'edit' && <EditUser user={opened.user} onClose={close} />}
      {opened?.dialog === 'delete' && <DeleteUser user={opened.user} onClose={close} />}
    </>
  )
}

interface TableProps {
  readonly users: readonly User[]
  readonly onOpen: (opened: Opened) => void
}

function UserTable({ users, onOpen }: TableProps) {
  const { ask, now } = useData()
  const { act, fault } = useAction(['admin', 'users'])
  const signOut = (username: string): void =>
    void act(`${username} was not signed out`, `${username} is signed out everywhere`, () =>
      ask('endUserSessions', { params: { username } }),
    )
  return (
    <>
      {fault !== undefined && <Failure error={fault.error} what={fault.what} />}
      <DataTable
        name="Users"
        columns={[
          { name: 'User' },
          { name: 'Role' },
          { name: 'State' },
          { name: 'Created', isExtra: true },
          { name: 'Changed', isExtra: true },
          { name: 'Actions', isUnseen: true },
        ]}
      >
        {users.map((user) => (
          <tr key={user.username}>
            <th scope="row" class="admin-table-name">
              {user.username}
            </th>
            <td>{user.role}</td>
            <td>{user.disabled ? 'disabled' : 'active'}</td>
            <td class="data-table-extra">
              <Ago at={instantOf(user.createdAt)} now={now} />
            </td>
            <td class="data-table-extra">
              <Ago at={instantOf(user.updatedAt)} now={now} />
            </td>
            <td>
              <Actions user={user} onOpen={onOpen} onSignOut={() => signOut(user.username)} />
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  )
}

interface ActionsProps {
  readonly user: User
  readonly onOpen: (opened: Opened) => void
  readonly onSignOut: () => void
}

function Actions({ user, onOpen, onSignOut }: ActionsProps) {
  return (
    <div class="admin-table-actions">
      <Button onPress={() => onOpen({ dialog: 'edit', user })}>Edit</Button>
      <Button onPress={onSignOut}>Sign out</Button>
      <Button onPress={() => onOpen({ dialog: 'delete', user })}>Delete</Button>
    </div>
  )
}
