import { useRef } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import { usePageKeys } from '../../data/page-keys.ts'
import { readKey, type Command } from '../../model/keys.ts'

/** Milliseconds within which the second key of a sequence must follow. */
const pairMs = 1_500

/** Handles the keys that work on every page. */
export function useKeys(act: (command: Command) => void): void {
  const { preferences } = useData()
  const goingUntil = useRef(0)
  usePageKeys((stroke) => {
    const hasFilter = document.querySelector('input[type=search]') !== null
    const isGoing = performance.now() < goingUntil.current
    const { command, ...next } = readKey({ ...stroke, hasFilter }, isGoing, preferences.hasLetters.peek())
    goingUntil.current = next.isGoing ? performance.now() + pairMs : 0
    if (command !== undefined) act(command)
    return command !== undefined
  })
}
