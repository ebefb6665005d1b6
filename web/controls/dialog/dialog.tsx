import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly title: string
  readonly children: ComponentChildren
  readonly onClose: () => void
}

/** A dialog over the page. The platform keeps the focus in it, and gives it back. */
export function Dialog({ title, children, onClose }: Props) {
  const place = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = place.current
    const before = document.activeElement
    dialog?.showModal()
    // Leaving the page closes it without an event, which would be taken for a wish of somebody.
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={place} class="dialog" aria-label={title} onClose={onClose} onCancel={onClose}>
      <h2 class="dialog-title">{title}</h2>
      {children}
    </dialog>
  )
}
