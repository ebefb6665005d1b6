import type { ComponentChildren } from 'preact'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { Failure } from '../../parts/load-state/load-state.tsx'
import type { Submit } from './use-submit.ts'

interface Props {
  readonly title: string
  /** The label of the main button. */
  readonly verb: string
  readonly children: ComponentChildren
  readonly state: Submit
  readonly onSend: (fields: FormData) => void
  readonly onClose: () => void
}

/** A dialog with fields; the Enter key submits them. */
export function DialogForm({ title, verb, children, state, onSend, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          onSend(new FormData(event.currentTarget))
        }}
      >
        {children}
        {state.error !== undefined && <Failure error={state.error} what="Nothing was changed" />}
        <div class="admin-form-actions">
          <Button type="submit" isMain isPending={state.isPending} onPress={() => undefined}>
            {verb}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: string
  readonly type?: 'text' | 'password' | 'number'
  readonly isRequired?: boolean
}

export function Field({ label, name, hint, type = 'text', isRequired = false }: FieldProps) {
  const kind =
    type === 'password'
      ? { type: 'password' as const }
      : type === 'number'
        ? { type: 'number' as const, min: 1 }
        : {}
  return (
    <div class="admin-form-field">
      <label for={`admin-field-${name}`}>{label}</label>
      <input
        id={`admin-field-${name}`}
        class="admin-form-value"
        name={name}
        autocomplete={type === 'password' ? 'new-password' : 'off'}
        autocapitalize="none"
        spellcheck={false}
        required={isRequired}
        {...kind}
        {...(hint !== undefined && { 'aria-describedby': `admin-${name}` })}
      />
      {hint !== undefined && (
        <span id={`admin-${name}`} class="quiet">
          {hint}
        </span>
      )}
    </div>
  )
}

export const roles = ['viewer', 'operator', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

export function RoleField({ role = 'viewer' }: { readonly role?: Role }) {
  return (
    <label class="admin-form-field">
      Role
      <select class="admin-form-value" name="role" defaultValue={role}>
        {roles.map((one) => (
          <option key={one} value={one} selected={one === role}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A text of a form. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}

export const roleOf = (fields: FormData): Role =>
  roles.find((role) => role === textOf(fields, 'role')) ?? 'viewer'
