import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly title: string
  readonly children: ComponentChildren
  readonly onClose: () => void
  /** The Escape key does not close it. */
  readonly isKept?: boolean
  /** As wide as the window. */
  readonly isWide?: boolean
}

/** A modal dialog. The browser keeps the focus in it, and returns it afterwards. */
export function Dialog({ title, children, onClose, isKept = false, isWide = false }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    // Leaving the page closes it without an event, because an event would look like an answer.
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-label={title}
      // Some browsers close a dialog on the second Escape, even if the event is cancelled.
      onClose={() => (isKept ? element.current?.showModal() : onClose())}
      onCancel={(event) => (isKept ? event.preventDefault() : onClose())}
    >
      <h2 class="dialog-title">{title}</h2>
      {children}
    </dialog>
  )
}
