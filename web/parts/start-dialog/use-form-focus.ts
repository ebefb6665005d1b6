import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** Focuses the first field, or Start if there is none; after a refusal, the first invalid value. */
export function useFormFocus(
  form: RefObject<HTMLFormElement | null>,
  hasFields: boolean,
  faults: ReadonlyMap<string, string>,
): void {
  const focus = (what: string): HTMLElement | null | undefined => {
    const found = form.current?.querySelector<HTMLElement>(what)
    found?.focus()
    return found
  }
  useEffect(() => {
    const first = focus(hasFields ? 'input, select, textarea' : 'button[type=submit]')
    // Typing replaces the default, as after the Tab key.
    if (first instanceof HTMLInputElement) first.select()
  }, [])
  useEffect(() => {
    if (faults.size > 0) focus('[aria-invalid=true]')
  }, [faults])
}
