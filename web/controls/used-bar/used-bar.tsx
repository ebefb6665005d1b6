interface Props {
  readonly used: number
  readonly of: number
}

/** How much of something is in use. More than the maximum fills the bar. */
export function UsedBar({ used, of }: Props) {
  const share = of <= 0 ? 0 : Math.min(1, used / of)
  return (
    <span class="used-bar">
      <svg class="used-bar-track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect
          class={share < 1 ? 'used-bar-part' : 'used-bar-part used-bar-full'}
          width={100 * share}
          height="8"
        />
      </svg>
      {used} of {of}
    </span>
  )
}
