import { signal, type Signal } from '@preact/signals'

/** One timer for all times of the page. It pauses while the page is hidden. */
export function createClock(aheadMs: Signal<number>): Signal<number> {
  const read = (): number => Date.now() + aheadMs.value
  const now = signal(read())
  setInterval(() => {
    if (!document.hidden) now.value = read()
  }, 1_000)
  return now
}
