import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** An item of a menu. */
export interface MenuItem {
  readonly name: string
  readonly onPress: () => void
}

interface Props {
  readonly name: string
  readonly items: readonly MenuItem[]
  /** Why the whole menu is disabled. */
  readonly refusal?: string | undefined
}

/** A button that opens a menu of buttons. Escape, a press elsewhere, or leaving by Tab closes it. */
export function Menu({ name, items, refusal }: Props) {
  const [isOpen, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const away = new AbortController()
    const leave = (to: EventTarget | null): void => {
      if (to !== null && !element.current?.contains(to as Node)) setOpen(false)
    }
    addEventListener('pointerdown', ({ target }) => leave(target), away)
    addEventListener('focusin', ({ target }) => leave(target), away)
    addEventListener('keydown', ({ key }) => key === 'Escape' && close(), away)
    return () => away.abort()
  }, [isOpen])
  return (
    <div ref={element} class="menu">
      <button
        ref={opener}
        type="button"
        class="button"
        aria-expanded={isOpen}
        aria-disabled={refusal !== undefined}
        {...(refusal !== undefined && { title: refusal, 'aria-description': refusal })}
        onClick={() => refusal === undefined && setOpen(!isOpen)}
      >
        {name} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && (
        <ul class="menu-items" aria-label={name}>
          {items.map((item) => (
            <li key={item.name}>
              <button
                type="button"
                class="menu-item"
                onClick={() => {
                  close()
                  item.onPress()
                }}
              >
                {item.name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
