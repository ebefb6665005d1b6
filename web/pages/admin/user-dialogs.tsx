import type { Operations } from '#lib/client/api-types.gen.ts'
import { useData } from '../../data/page-data.ts'
import { DialogForm, Field, RoleField, roleOf, textOf } from './dialog-form.tsx'
import { useSubmit } from './use-submit.ts'

export type User = Operations['listUsers']['responses'][200]['users'][number]

const passwordHint =
  'At least 8 characters; not the user name, no common words, no sequences such as 12345678'

export function NewUser({ onClose }: { readonly onClose: () => void }) {
  const { ask } = useData()
  const state = useSubmit()
  return (
    <DialogForm
      title="New user"
      verb="Create"
      state={state}
      onClose={onClose}
      onSend={(fields) => {
        const [username, password] = [textOf(fields, 'username').trim(), textOf(fields, 'password')]
        const body = { username, password, role: roleOf(fields) }
        void state.submit(`${username} was created`, () => ask('createUser', { body }), onClose)
      }}
    >
      <Field label="User" name="username" isRequired />
      <RoleField />
      <Field label="Password" name="password" type="password" hint={passwordHint} isRequired />
    </DialogForm>
  )
}

interface Props {
  readonly user: User
  readonly onClose: () => void
}

/** Role, password, and whether the user is enabled. */
export function EditUser({ user, onClose }: Props) {
  const { ask } = useData()
  const state = useSubmit()
  const { username } = user
  return (
    <DialogForm
      title={`Edit ${username}`}
      verb="Save"
      state={state}
      onClose={onClose}
      onSend={(fields) => {
        const password = textOf(fields, 'password')
        const disabled = fields.get('disabled') !== null
        const body = { role: roleOf(fields), disabled, ...(password !== '' && { password }) }
        const send = () => ask('updateUser', { params: { username }, body })
        void state.submit(`${username} was changed`, send, onClose)
      }}
    >
      <RoleField role={user.role} />
      <label class="admin-form-flag">
        <input type="checkbox" name="disabled" defaultChecked={user.disabled} /> Disabled
      </label>
      <Field
        label="New password"
        name="password"
        type="password"
        hint={`${passwordHint}. Leave it empty to keep the password. A new one ends the sessions of the user`}
      />
    </DialogForm>
  )
}

export function DeleteUser({ user: { username }, onClose }: Props) {
  const { ask } = useData()
  const state = useSubmit()
  return (
    <DialogForm
      title={`Delete ${username}`}
      verb="Delete"
      state={state}
      onClose={onClose}
      onSend={() => {
        const send = () => ask('deleteUser', { params: { username } })
        void state.submit(`${username} was deleted`, send, onClose)
      }}
    >
      <p>The keys and sessions of the user end too. The audit log keeps what the user did.</p>
    </DialogForm>
  )
}
