import { useEffect, useRef } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import { readKey, type Command } from '../../model/keys.ts'

/** Milliseconds in which the second key of two must follow. */
const pairMs = 1_500

/** Listens to the keys of the whole page. Nothing happens while a dialog is open. */
export function useKeys(act: (command: Command) => void): void {
  const { preferences } = useData()
  const goingUntil = useRef(0)
  const last = useRef(act)
  last.current = act
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]') !== null) return
      const { key } = event
      // The editor stands in a shadow root, for which an event names only its host.
      const [target] = event.composedPath()
      const stroke = {
        key,
        isModified: event.ctrlKey || event.metaKey,
        isTyping:
          target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]'),
        hasFilter: document.querySelector('input[type=search]') !== null,
      }
      const isGoing = performance.now() < goingUntil.current
      const { command, ...next } = readKey(stroke, isGoing, preferences.hasLetters.peek())
      goingUntil.current = next.isGoing ? performance.now() + pairMs : 0
      if (command === undefined) return
      event.preventDefault()
      last.current(command)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
