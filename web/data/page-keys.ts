import { useEffect, useRef } from 'preact/hooks'
import { useData } from './page-data.ts'

export interface PageStroke {
  readonly key: string
  /** With Ctrl or ⌘. */
  readonly isModified: boolean
  /** In a field, where letters are text. */
  readonly isTyping: boolean
}

/**
 * Listens to the keys of the whole page. Nothing happens while a dialog is open.
 * @param act answers whether the key has done something
 */
export function usePageKeys(act: (stroke: PageStroke) => boolean): void {
  const last = useRef(act)
  last.current = act
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]') !== null) return
      // The editor is in a shadow root, for which an event names only the host.
      const [target] = event.composedPath()
      const isTyping =
        target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
      const isModified = event.ctrlKey || event.metaKey
      if (last.current({ key: event.key, isModified, isTyping })) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Listens to single letters outside of fields, unless they are switched off. */
export function useLetters(act: (letter: string) => boolean): void {
  const { preferences } = useData()
  usePageKeys(
    ({ key, isModified, isTyping }) => !isModified && !isTyping && preferences.hasLetters.peek() && act(key),
  )
}
