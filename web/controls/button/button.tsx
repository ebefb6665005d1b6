import type { ComponentChildren } from 'preact'

interface Props {
  readonly children: ComponentChildren
  readonly onPress: () => void
  readonly isMain?: boolean
  readonly isPending?: boolean
  /** Why it is disabled. */
  readonly refusal?: string | undefined
  readonly type?: 'button' | 'submit'
}

/** While its work is pending, or when it is refused, a button stays visible but ignores presses. */
export function Button({ children, onPress, isMain, isPending, refusal, type }: Props) {
  const isOff = isPending === true || refusal !== undefined
  const kind = isMain === true ? 'button button-main' : 'button'
  return (
    <button
      type={type ?? 'button'}
      class={kind}
      aria-disabled={isOff}
      {...(refusal !== undefined && { title: refusal, 'aria-description': refusal })}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onPress()
      }}
    >
      {children}
    </button>
  )
}
