interface Props {
  readonly name: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  /** Whether the name stands beside it. */
  readonly isLabelled?: boolean
}

/** Something that is on or off. */
export function Switch({ name, isOn, onChange, isLabelled = false }: Props) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isOn}
      aria-label={name}
      onClick={() => onChange(!isOn)}
    >
      <span class="switch-track" aria-hidden="true">
        <span class="switch-knob" />
      </span>
      {isLabelled && <span>{name}</span>}
    </button>
  )
}
