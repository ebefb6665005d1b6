import type { TimelineRow } from '../../model/timeline-rows.ts'
import type { TimeView } from './use-time-view.ts'

interface Walk {
  readonly rows: readonly TimelineRow[]
  /** Index of the row that has the focus. */
  readonly stop: number
  readonly time: TimeView
  readonly goTo: (index: number) => void
  readonly toggle: (row: TimelineRow) => void
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

/**
 * Up and down move between rows, right and left open and close child runs, Enter opens the link of a row; + - 0 and
 * Shift with right and left change the visible range. The grid is a single Tab stop.
 */
export function onTimelineKey(event: KeyboardEvent, walk: Walk): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { target, key, shiftKey } = event
  if (key === 'Enter' && target instanceof HTMLElement && target.role === 'row') {
    target.querySelector('a')?.click()
  } else if (!moveRow(key, shiftKey, walk) && !moveTime(key, shiftKey, walk)) return
  event.preventDefault()
}

function moveRow(key: string, isShifted: boolean, { rows, stop, goTo, toggle }: Walk): boolean {
  const step = steps[key]
  if (step !== undefined) {
    goTo(Math.min(rows.length - 1, Math.max(0, stop + step)))
    return true
  }
  if (isShifted || (key !== 'ArrowRight' && key !== 'ArrowLeft')) return false
  const row = rows[stop]
  if (row?.isOpen === (key === 'ArrowLeft')) toggle(row)
  else if (key === 'ArrowLeft' && row?.child !== undefined) {
    goTo(rows.findIndex((other) => other.step === row.step))
  }
  return true
}

function moveTime(key: string, isShifted: boolean, { time }: Walk): boolean {
  if (key === '+' || key === '=') time.zoom(2)
  else if (key === '-') time.zoom(0.5)
  else if (key === '0') time.show(undefined)
  else if (isShifted && key === 'ArrowRight') time.move(0.25)
  else if (isShifted && key === 'ArrowLeft') time.move(-0.25)
  else return false
  return true
}
