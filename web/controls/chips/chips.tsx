interface Chip {
  readonly label: string
  readonly onRemove: () => void
}

/** The filters of a list, each with a button that removes it. */
export function Chips({ name, chips }: { readonly name: string; readonly chips: readonly Chip[] }) {
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={name}>
      {chips.map(({ label, onRemove }) => (
        <li key={label} class="chips-chip">
          <span class="chips-label">{label}</span>
          <button type="button" class="chips-remove" aria-label={`Remove ${label}`} onClick={onRemove}>
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
