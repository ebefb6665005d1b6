import { useEffect, useRef } from 'preact/hooks'

interface Keys {
  readonly onSave: () => void
  /** @param step 1: the next problem, -1: the one before */
  readonly onProblem: (step: 1 | -1) => void
}

/** Ctrl-S saves and F8 steps through the problems, wherever the focus is. */
export function useDeskKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 's'
      if (!isSave && event.key !== 'F8') return
      event.preventDefault()
      if (document.querySelector('dialog[open]') !== null) return
      if (isSave) latest.current.onSave()
      else latest.current.onProblem(event.shiftKey ? -1 : 1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
