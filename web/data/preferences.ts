import { signal, type Signal } from '@preact/signals'

/** What somebody has chosen in this browser. */
export interface Preferences {
  /** Keys without Ctrl do something. */
  readonly hasLetters: Signal<boolean>
}

const lettersKey = 'millrace.letters'

/** Where a browser keeps nothing, a choice lasts as long as the page. */
export function createPreferences(): Preferences {
  const hasLetters = signal(read(lettersKey) !== 'off')
  hasLetters.subscribe((isOn) => keep(lettersKey, isOn ? undefined : 'off'))
  return { hasLetters }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function keep(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // See above.
  }
}
