const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }

/** Arrows walk from row to row, and Enter opens the link of a row: the grid is one stop of the Tab key. */
export function walkRows(event: KeyboardEvent): void {
  const { currentTarget: grid, target } = event
  if (!(grid instanceof HTMLElement) || !(target instanceof HTMLElement)) return
  if (event.key === 'Enter' && target.role === 'row') {
    target.querySelector('a')?.click()
    return
  }
  const step = steps[event.key]
  if (step === undefined) return
  const rows = [...grid.querySelectorAll<HTMLElement>('[role=row]')]
  const here = rows.findIndex((row) => row.contains(target))
  const next = rows[Math.min(rows.length - 1, Math.max(0, here + step))]
  if (next === undefined) return
  event.preventDefault()
  for (const row of rows) row.tabIndex = row === next ? 0 : -1
  next.focus()
}
