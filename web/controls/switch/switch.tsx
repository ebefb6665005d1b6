interface Props {
  readonly name: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  /** Why it cannot be changed. */
  readonly refusal?: string | undefined
  /** Whether the name is next to it. */
  readonly isLabelled?: boolean
}

/** A switch that is on or off. */
export function Switch({ name, isOn, onChange, refusal, isLabelled = false }: Props) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isOn}
      aria-label={name}
      aria-disabled={refusal !== undefined}
      {...(refusal !== undefined && { title: refusal, 'aria-description': refusal })}
      onClick={() => refusal === undefined && onChange(!isOn)}
    >
      <span class="switch-track" aria-hidden="true">
        <span class="switch-knob" />
      </span>
      {isLabelled && <span>{name}</span>}
    </button>
  )
}
