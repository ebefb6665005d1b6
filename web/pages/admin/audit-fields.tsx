import { fieldSeconds, fieldText } from '../../model/run-range.ts'

interface Props {
  readonly address: Readonly<Record<string, string>>
  readonly onChange: (name: string, value: string) => void
}

const texts = [
  { name: 'actor', label: 'Who', hint: 'user or key' },
  { name: 'action', label: 'Action', hint: 'startDag, login' },
  { name: 'target', label: 'Object', hint: 'a part of the path' },
] as const

/** The filters of the log. A text applies on blur or Enter. */
export function AuditFields({ address, onChange }: Props) {
  return (
    <form class="admin-tools" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      {texts.map(({ name, label, hint }) => (
        <label key={name} class="admin-filter">
          {label}
          <input
            class="admin-form-value"
            type="text"
            placeholder={hint}
            autocapitalize="none"
            autocomplete="off"
            spellcheck={false}
            value={address[name] ?? ''}
            onChange={({ currentTarget: { value } }) => onChange(name, value.trim())}
          />
        </label>
      ))}
      {(['from', 'to'] as const).map((name) => (
        <label key={name} class="admin-filter">
          {name === 'from' ? 'From' : 'To'}
          <input
            class="admin-form-value"
            type="datetime-local"
            value={/^\d{1,11}$/.test(address[name] ?? '') ? fieldText(Number(address[name])) : ''}
            onChange={({ currentTarget: { value } }) => onChange(name, String(fieldSeconds(value) ?? ''))}
          />
        </label>
      ))}
    </form>
  )
}
