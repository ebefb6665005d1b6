import { useState } from 'preact/hooks'
import type { Operations } from '#lib/client/api-types.gen.ts'
import { Button } from '../../controls/button/button.tsx'
import { CopyButton } from '../../controls/copy/copy-button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useData } from '../../data/page-data.ts'
import { DialogForm, Field, RoleField, roleOf, textOf } from './dialog-form.tsx'
import { useSubmit } from './use-submit.ts'

export type ApiKey = Operations['listApiKeys']['responses'][200]['apiKeys'][number]

/** Creates a key and shows it. Only this dialog holds it. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const { ask } = useData()
  const state = useSubmit()
  const [made, setMade] = useState<Made>()
  if (made !== undefined) return <MadeKey {...made} onClose={onClose} />
  return (
    <DialogForm
      title="New key"
      verb="Create"
      state={state}
      onClose={onClose}
      onSend={(fields) => {
        const name = textOf(fields, 'name').trim()
        const days = textOf(fields, 'days')
        const body = { name, role: roleOf(fields), ...(days !== '' && { expiresInDays: Number(days) }) }
        const send = async (): Promise<void> => {
          const { key } = await ask('createApiKey', { body })
          setMade({ name, secret: key })
        }
        void state.submit(`the key ${name} was created`, send, () => undefined)
      }}
    >
      <Field label="Name" name="name" isRequired />
      <RoleField />
      <Field
        label="Days until it expires"
        name="days"
        type="number"
        hint="Leave it empty for a key that never expires"
      />
    </DialogForm>
  )
}

interface Made {
  readonly name: string
  readonly secret: string
}

/** It must be answered, because the key cannot be shown again. */
function MadeKey({ name, secret, onClose }: Made & { readonly onClose: () => void }) {
  return (
    <Dialog title={`Key ${name}`} onClose={onClose} isKept>
      <p>Copy the key now: it is not stored, and cannot be shown again.</p>
      <p class="admin-key">
        <code>{secret}</code>
      </p>
      <div class="admin-form-actions">
        <CopyButton text={() => secret}>Copy</CopyButton>
        <Button isMain onPress={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { ask } = useData()
  const state = useSubmit()
  const { id: keyId, name } = apiKey
  return (
    <DialogForm
      title={`Revoke ${name}`}
      verb="Revoke"
      state={state}
      onClose={onClose}
      onSend={() => {
        const send = () => ask('revokeApiKey', { params: { keyId } })
        void state.submit(`the key ${name} was revoked`, send, onClose)
      }}
    >
      <p>
        Calls with this key (<code>{apiKey.prefix}…</code>) are refused from now on. The key stays in the
        list.
      </p>
    </DialogForm>
  )
}
