import type { ComponentChildren } from 'preact'

interface Props {
  readonly children: ComponentChildren
  readonly onPress: () => void
  readonly isMain?: boolean
  readonly isPending?: boolean
  readonly type?: 'button' | 'submit'
}

/** While its work is pending, a button stays where it is and takes no second press. */
export function Button({ children, onPress, isMain, isPending, type }: Props) {
  const kind = isMain === true ? 'button button-main' : 'button'
  return (
    <button
      type={type ?? 'button'}
      class={kind}
      aria-disabled={isPending === true}
      onClick={(event) => {
        if (isPending === true) event.preventDefault()
        else onPress()
      }}
    >
      {children}
    </button>
  )
}
