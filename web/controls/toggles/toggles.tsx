interface Toggle {
  readonly name: string
  readonly isOn: boolean
  readonly onPress: () => void
}

/** Buttons of which any number can be pressed. */
export function Toggles({ name, toggles }: { readonly name: string; readonly toggles: readonly Toggle[] }) {
  return (
    <div class="toggles" role="group" aria-label={name}>
      {toggles.map(({ name: toggle, isOn, onPress }) => (
        <button key={toggle} type="button" class="toggles-toggle" aria-pressed={isOn} onClick={onPress}>
          {toggle}
        </button>
      ))}
    </div>
  )
}
